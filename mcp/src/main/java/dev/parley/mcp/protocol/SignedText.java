package dev.parley.mcp.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Authenticates text that a client keeps for us, so that a change is noticed. */
final class SignedText {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  SignedText() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    key = new SecretKeySpec(secret, ALGORITHM);
  }

  String close(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8)) + "." + base64(mac(text));
  }

  /**
   * The original text.
   *
   * @throws RpcException if the text was not sealed by us, or was changed
   */
  String open(String sealed) {
    int dot = sealed.indexOf('.');
    try {
      Base64.Decoder decoder = Base64.getUrlDecoder();
      String text = new String(decoder.decode(sealed.substring(0, dot)), StandardCharsets.UTF_8);
      if (MessageDigest.isEqual(mac(text), decoder.decode(sealed.substring(dot + 1)))) {
        return text;
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // Malformed: treated like a wrong seal.
    }
    throw RpcException.of(RpcException.INVALID_PARAMS, "requestState was changed");
  }

  private byte[] mac(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + ALGORITHM, e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
