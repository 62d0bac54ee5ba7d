/** Complete small programs that use the library; the build compiles and runs them. */
@NullMarked
package dev.parley.examples;

import org.jspecify.annotations.NullMarked;
