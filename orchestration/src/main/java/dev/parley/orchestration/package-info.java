/** Agents that run as programs: asked one by one, in debates, boards, loops and waves. */
@NullMarked
package dev.parley.orchestration;

import org.jspecify.annotations.NullMarked;
