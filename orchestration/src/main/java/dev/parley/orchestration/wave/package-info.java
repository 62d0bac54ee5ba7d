/** Plans carried out in waves: a worktree and a loop for each task, merged one at a time. */
@NullMarked
package dev.parley.orchestration.wave;

import org.jspecify.annotations.NullMarked;
