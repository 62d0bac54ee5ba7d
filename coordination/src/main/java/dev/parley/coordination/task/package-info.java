/** What is to be done, in which order, and who does it. */
@NullMarked
package dev.parley.coordination.task;

import org.jspecify.annotations.NullMarked;
