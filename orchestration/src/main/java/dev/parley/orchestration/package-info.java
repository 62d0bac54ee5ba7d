/** Agents that run as programs: asked singly, in debates, boards, loops and waves. */
@NullMarked
package dev.parley.orchestration;

import org.jspecify.annotations.NullMarked;
