/** Puts text of others into a document so that it can't change the document's structure. */
@NullMarked
package dev.parley.coordination.text;

import org.jspecify.annotations.NullMarked;
