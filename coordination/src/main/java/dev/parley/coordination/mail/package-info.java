/** Mail between agents: what was sent, what became of it, and waiting for it. */
@NullMarked
package dev.parley.coordination.mail;

import org.jspecify.annotations.NullMarked;
