/**
 * Who wrote a line: writer ids, and the keyed digests that make them recognisable. API for those
 * who implement a log.
 */
@NullMarked
package dev.parley.core.writer;

import org.jspecify.annotations.NullMarked;
