/** How what others wrote is put into a document without becoming a part of its form. */
@NullMarked
package dev.parley.coordination.text;

import org.jspecify.annotations.NullMarked;
