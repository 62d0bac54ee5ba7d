package dev.parley.mcp.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Protects text that a client keeps for us from being changed. */
final class Seal {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  Seal() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    key = new SecretKeySpec(secret, ALGORITHM);
  }

  String close(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8)) + "." + base64(mac(text));
  }

  /**
   * The text that was sealed.
   *
   * @throws RpcException if it was not, or was changed since
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
      // As bad as a wrong seal.
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
