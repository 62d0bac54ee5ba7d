/**
 * Where a git repository keeps the bus that its worktrees share, and how git is told to ignore it.
 * Internal.
 */
@NullMarked
package dev.parley.filelog.git;

import org.jspecify.annotations.NullMarked;
