/** Writes what was measured for people: a page of Markdown and drawings. */
@NullMarked
package dev.parley.bench.report;

import org.jspecify.annotations.NullMarked;
