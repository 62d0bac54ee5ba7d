/** Git: reads states, keeps worktrees, merges, and never loses work. */
@NullMarked
package dev.parley.orchestration.git;

import org.jspecify.annotations.NullMarked;
