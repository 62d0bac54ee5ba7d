/**
 * Reading a topic file from a position on, and proving that the position still belongs to the file.
 * Internal.
 */
@NullMarked
package dev.parley.filelog.read;

import org.jspecify.annotations.NullMarked;
