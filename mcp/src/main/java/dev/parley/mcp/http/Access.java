package dev.parley.mcp.http;

import dev.parley.core.AgentName;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the agent of a request by its token.
 *
 * <p>A token is {@code <agent>:<proof>}; the proof is an HMAC of the name under a secret that only
 * this user can read. So an agent's token stays the same while the secret does, nothing is stored
 * for it, and a new secret invalidates all tokens.
 */
public final class Access {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String SCHEME = "Bearer ";

  private final SecretKeySpec key;

  /** The proofs of agents that have shown theirs: working one out takes longer than the rest. */
  private final Map<String, byte[]> shown = new ConcurrentHashMap<>();

  public Access(byte[] secret) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /** The token of an agent. It is a secret. */
  public String token(String agent) {
    return new AgentName(agent).name() + ":" + proof(agent);
  }

  /** The agent whose token is in this {@code Authorization} header; null if there is none. */
  public @Nullable String agent(@Nullable String authorization) {
    if (authorization == null || !authorization.startsWith(SCHEME)) {
      return null;
    }
    String token = authorization.substring(SCHEME.length()).strip();
    int colon = token.indexOf(':');
    String name = colon < 0 ? "" : token.substring(0, colon);
    if (!AgentName.isValid(name)) {
      return null;
    }
    byte[] given = token.substring(colon + 1).getBytes(StandardCharsets.UTF_8);
    byte[] known = shown.get(name);
    byte[] right = known == null ? proof(name).getBytes(StandardCharsets.UTF_8) : known;
    if (!MessageDigest.isEqual(given, right)) {
      return null;
    }
    if (known == null) {
      shown.put(name, right);
    }
    return name;
  }

  private String proof(String agent) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] proof = mac.doFinal(agent.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(proof);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + ALGORITHM, e);
    }
  }
}
