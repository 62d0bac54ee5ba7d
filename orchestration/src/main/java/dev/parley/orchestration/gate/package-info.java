/** Gates: commands that must succeed before work counts as done, and the evidence of their runs. */
@NullMarked
package dev.parley.orchestration.gate;

import org.jspecify.annotations.NullMarked;
