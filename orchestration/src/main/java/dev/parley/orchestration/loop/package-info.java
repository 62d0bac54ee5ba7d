/** One task, tried until its gates pass. */
@NullMarked
package dev.parley.orchestration.loop;

import org.jspecify.annotations.NullMarked;
