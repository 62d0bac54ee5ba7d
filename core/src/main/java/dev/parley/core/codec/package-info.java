/**
 * Encodes an envelope as one line of JSON, and decodes a line to an envelope. Internal: programs
 * use {@link dev.parley.core.Envelope}.
 *
 * <p>The encoder writes one form only. The decoder is tolerant, but never accepts a line with two
 * possible meanings. A log implementation uses {@link dev.parley.core.codec.EnvelopeEncoder} and
 * {@link dev.parley.core.codec.EnvelopeDecoder}.
 */
@NullMarked
package dev.parley.core.codec;

import org.jspecify.annotations.NullMarked;
