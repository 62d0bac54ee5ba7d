/**
 * Foreign messages: the codec contract, where an envelope keeps what only the design knows, and
 * JSON lines.
 */
@NullMarked
package dev.parley.dialects.message;

import org.jspecify.annotations.NullMarked;
