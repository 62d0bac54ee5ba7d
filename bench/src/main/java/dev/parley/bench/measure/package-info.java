/**
 * What measuring is made of: a {@link dev.parley.bench.measure.Figure} is a question; its {@link
 * dev.parley.bench.measure.Contestant}s run {@link dev.parley.bench.measure.Race rounds} in turn, A
 * B C A B C, and their medians are held against {@link dev.parley.bench.measure.Bar}s.
 */
@NullMarked
package dev.parley.bench.measure;

import org.jspecify.annotations.NullMarked;
