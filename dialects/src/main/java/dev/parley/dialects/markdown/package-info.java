/**
 * MESSAGE-BUS.md: a journal of messages with front matter that people read. It is only ever
 * appended to.
 *
 * <p>Our writer is strict: every message reads back unchanged, whatever its body contains. Our
 * reader accepts what real files contain, as far as it makes sense, and reports the rest by line.
 */
@NullMarked
package dev.parley.dialects.markdown;

import org.jspecify.annotations.NullMarked;
