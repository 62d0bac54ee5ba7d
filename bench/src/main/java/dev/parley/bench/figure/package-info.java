/**
 * The figures, one class each, and the contestants they share. {@link
 * dev.parley.bench.figure.Figures#ALL} lists them.
 */
@NullMarked
package dev.parley.bench.figure;

import org.jspecify.annotations.NullMarked;
