/**
 * All native calls of Parley: {@link dev.parley.filelog.linux.SystemCalls}, and {@link
 * dev.parley.filelog.linux.LinuxStat} for the identity and size of files. No other package calls
 * native code. Every guarantee holds without it: the JDK's way is slower, never weaker.
 */
@NullMarked
package dev.parley.filelog.linux;

import org.jspecify.annotations.NullMarked;
