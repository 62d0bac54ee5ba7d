/** Taking turns: paths, tasks, and who waits for whom. */
@NullMarked
package dev.parley.cli.work;

import org.jspecify.annotations.NullMarked;
