/**
 * MESSAGE-BUS.md: a journal that people read, of messages with front matter, only ever appended to.
 *
 * <p>Our writer is strict: every message reads back as it was, whatever is in its body. Our reader
 * takes what real files hold, as far as it makes sense, and tells the rest by line.
 */
@NullMarked
package dev.parley.dialects.markdown;

import org.jspecify.annotations.NullMarked;
