/** How one ask is carried out: a program is started, or a model API is called. */
@NullMarked
package dev.parley.orchestration.ask.call;

import org.jspecify.annotations.NullMarked;
