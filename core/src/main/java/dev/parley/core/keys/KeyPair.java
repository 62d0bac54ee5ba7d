package dev.parley.core.keys;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * An Ed25519 key that signs lines, with the public key that verifies them.
 *
 * <pre>
 * file: &lt;private key, base64 of PKCS #8&gt; &lt;blank&gt; &lt;public key, as {@link PublicKey}&gt; \n
 * </pre>
 */
public final class KeyPair {
  private static final String ALGORITHM = "Ed25519";

  private final PrivateKey key;
  private final PublicKey publicKey;

  private KeyPair(PrivateKey key, PublicKey publicKey) {
    this.key = key;
    this.publicKey = publicKey;
  }

  /** A new random one. */
  public static KeyPair generate() {
    try {
      java.security.KeyPair made = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      return new KeyPair(made.getPrivate(), PublicKey.of(made.getPublic()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK 25 has " + ALGORITHM, e);
    }
  }

  /** What {@link #toFile} wrote; null if the text is something else. */
  public static @Nullable KeyPair parse(String file) {
    int blank = file.indexOf(' ');
    PublicKey publicKey = blank < 0 ? null : PublicKey.parse(file.substring(blank + 1).strip());
    if (publicKey == null) {
      return null;
    }
    try {
      byte[] encoded = Base64.getDecoder().decode(file.substring(0, blank));
      PrivateKey key =
          KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      Arrays.fill(encoded, (byte) 0);
      return new KeyPair(key, publicKey);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return null;
    }
  }

  /** The private and the public key as text, for a file that nobody else may read. */
  public String toFile() {
    return Base64.getEncoder().encodeToString(key.getEncoded()) + " " + publicKey.text() + "\n";
  }

  public PublicKey publicKey() {
    return publicKey;
  }

  byte[] sign(byte[] content) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(content);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key that was read can sign", e);
    }
  }

  /** Without the private key. */
  @Override
  public String toString() {
    return "key pair of " + publicKey.text();
  }
}
