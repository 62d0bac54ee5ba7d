/**
 * All native calls of Parley: {@link dev.parley.filelog.linux.SystemCalls}, and {@link
 * dev.parley.filelog.linux.LinuxStat} for what the system says of a file. Nothing else touches a
 * linker. Every promise holds without them: the JDK's way is slower, never weaker.
 */
@NullMarked
package dev.parley.filelog.linux;

import org.jspecify.annotations.NullMarked;
