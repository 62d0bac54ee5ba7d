/** The state of mail as folds: an agent's mailbox, its outbox, and the steps of each delivery. */
@NullMarked
package dev.parley.coordination.mailbox;

import org.jspecify.annotations.NullMarked;
