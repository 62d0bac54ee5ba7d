/** The state of mail as folds: an agent's mailbox, what it has sent, and each delivery's steps. */
@NullMarked
package dev.parley.coordination.mailbox;

import org.jspecify.annotations.NullMarked;
