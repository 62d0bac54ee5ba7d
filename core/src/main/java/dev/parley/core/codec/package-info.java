/**
 * How an envelope becomes one line of JSON, and a line an envelope. Internal: programs use {@link
 * dev.parley.core.Envelope}.
 *
 * <p>The encoder is strict and writes one form only. The decoder is tolerant, but never reads two
 * meanings into one line. A log implementation uses {@link dev.parley.core.codec.EnvelopeEncoder}
 * and {@link dev.parley.core.codec.EnvelopeDecoder}.
 */
@NullMarked
package dev.parley.core.codec;

import org.jspecify.annotations.NullMarked;
