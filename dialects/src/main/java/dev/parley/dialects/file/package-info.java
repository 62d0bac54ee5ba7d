/**
 * Files that other tools read and write too: reading, atomic replacement, locks, watching, and
 * texts in them.
 */
@NullMarked
package dev.parley.dialects.file;

import org.jspecify.annotations.NullMarked;
