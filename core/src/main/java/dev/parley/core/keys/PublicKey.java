package dev.parley.core.keys;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The Ed25519 key that verifies one agent's lines: 32 bytes, written as 43 characters of base64url.
 */
public final class PublicKey {
  private static final String ALGORITHM = "Ed25519";
  private static final int LENGTH = 32;

  /** What stands before the 32 bytes in the encoding that the JDK reads (RFC 8410). */
  private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private final String text;
  private final java.security.PublicKey key;

  /** Idle ones, each for one thread at a time: making one takes a part of what verifying takes. */
  private final Deque<Signature> verifiers = new ArrayDeque<>();

  private PublicKey(String text, java.security.PublicKey key) {
    this.text = text;
    this.key = key;
  }

  static PublicKey of(java.security.PublicKey key) {
    byte[] encoded = key.getEncoded();
    byte[] raw = Arrays.copyOfRange(encoded, encoded.length - LENGTH, encoded.length);
    return new PublicKey(Base64.getUrlEncoder().withoutPadding().encodeToString(raw), key);
  }

  /** The key with this text; null if the text is no key. */
  public static @Nullable PublicKey parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      byte[] raw = Base64.getUrlDecoder().decode(text);
      if (raw.length != LENGTH) {
        return null;
      }
      byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + LENGTH);
      System.arraycopy(raw, 0, encoded, X509_PREFIX.length, LENGTH);
      java.security.PublicKey key =
          KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
      // Written by us in one way only: two texts are two keys.
      String canonical = Base64.getUrlEncoder().withoutPadding().encodeToString(raw);
      return canonical.equals(text) ? new PublicKey(text, key) : null;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return null;
    }
  }

  public String text() {
    return text;
  }

  boolean verifies(byte[] content, byte[] signed) {
    try {
      Signature verifier = verifier();
      verifier.update(content);
      boolean verifies = verifier.verify(signed);
      synchronized (verifiers) {
        verifiers.push(verifier);
      }
      return verifies;
    } catch (GeneralSecurityException e) {
      return false; // a signature of the wrong form
    }
  }

  /** An idle one, or a new one. */
  private Signature verifier() throws GeneralSecurityException {
    synchronized (verifiers) {
      if (!verifiers.isEmpty()) {
        return verifiers.pop();
      }
    }
    Signature verifier = Signature.getInstance(ALGORITHM);
    verifier.initVerify(key);
    return verifier;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PublicKey that && that.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
