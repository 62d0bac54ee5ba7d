/**
 * A project that a moderator and a tech lead carry out: one task after the other, each submitted,
 * reviewed and approved before the next begins.
 */
@NullMarked
package dev.parley.orchestration.moderate;

import org.jspecify.annotations.NullMarked;
