/**
 * Conductor: a {@code .message-bus} folder with a queue of messages that all workers append to, and
 * files that signal events.
 */
@NullMarked
package dev.parley.dialects.conductor;

import org.jspecify.annotations.NullMarked;
