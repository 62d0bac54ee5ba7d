/**
 * Signed lines: who wrote a line can be verified on a bus that requires it.
 *
 * <p>{@link dev.parley.core.keys.LineSignature} is the format, {@link dev.parley.core.keys.KeyRing}
 * the pure fold that says whose key is valid where, {@link dev.parley.core.keys.SignaturePolicy}
 * what a log asks when it writes and reads. Only the key ring decides; private keys and files are
 * no business of this package.
 */
@NullMarked
package dev.parley.core.keys;

import org.jspecify.annotations.NullMarked;
