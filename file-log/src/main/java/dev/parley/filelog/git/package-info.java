/**
 * Finds the bus that the worktrees of a git repository share, and makes git ignore it. Internal.
 */
@NullMarked
package dev.parley.filelog.git;

import org.jspecify.annotations.NullMarked;
