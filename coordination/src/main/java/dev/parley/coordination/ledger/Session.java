package dev.parley.coordination.ledger;

import dev.parley.core.AgentName;
import dev.parley.core.store.Sha256;
import dev.parley.core.writer.WriterId;
import dev.parley.core.writer.WriterKey;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One run of an agent: its name and the secret that proves that a command belongs to it.
 *
 * <p>Only {@link #id}, a hash of the secret, is in the log. That keeps two agents from taking each
 * other's name by mistake; it can't stop a program that writes lines of its own.
 */
public final class Session {
  private static final int ID_BYTES = 10;

  /** The prefix of the id of a session that stands for an agent of another tool. */
  private static final String MOUNTED = "mounted:";

  private final String name;
  private final String secret;
  private final String id;

  public Session(String name, String secret) {
    this(name, secret, hash(secret));
  }

  private Session(String name, String secret, String id) {
    this.name = new AgentName(name).name();
    this.secret = secret;
    this.id = id;
  }

  /**
   * The session of an agent that lives in mounted files and knows nothing of the bus. The program
   * that keeps the mount speaks for the agent, so there is no secret. A session of the agent itself
   * may take the name over at any time.
   */
  public static Session mounted(String mount, String name) {
    return new Session(name, "", MOUNTED + mount + "/" + name);
  }

  /** The mount that a session of this id speaks for; null if it is no such session. */
  public static @Nullable String mountOf(String id) {
    int slash = isMounted(id) ? id.indexOf('/') : -1;
    return slash < 0 ? null : id.substring(MOUNTED.length(), slash);
  }

  public static boolean isMounted(String id) {
    return id.startsWith(MOUNTED);
  }

  /** The session that has a name, for a mirror that records what the agent did in another tool. */
  static Session of(String name, String id) {
    return new Session(name, "", id);
  }

  /** A session with a secret of 160 random bits. */
  public static Session begin(String name) {
    return new Session(name, WriterId.random().toString() + WriterId.random());
  }

  private static String hash(String secret) {
    return Sha256.hex(secret).substring(0, 2 * ID_BYTES);
  }

  public String name() {
    return name;
  }

  /** The public id of the session, which is written to the log. */
  public String id() {
    return id;
  }

  /** The key from which its commands derive their writer ids. */
  public WriterKey writerKey() {
    return WriterKey.of(secret.getBytes(StandardCharsets.UTF_8));
  }

  /** The form for the environment; {@link #parse} reads it. */
  public String token() {
    return name + ":" + secret;
  }

  /**
   * The form for a file of the same user. It includes the id, because hashing takes as long as all
   * else that a command does. {@link #ofKept} reads it.
   */
  public String kept() {
    return token() + "\n" + id;
  }

  /** The session of a token; null if the token is invalid. */
  public static @Nullable Session parse(String token) {
    return parse(token, null);
  }

  /**
   * The session in a file, with its id or, in an older format, without it; null if it is invalid.
   */
  public static @Nullable Session ofKept(String kept) {
    int line = kept.indexOf('\n');
    return line < 0 ? parse(kept) : parse(kept.substring(0, line), kept.substring(line + 1));
  }

  private static @Nullable Session parse(String token, @Nullable String id) {
    int colon = token.indexOf(':');
    if (colon < 0 || !AgentName.isValid(token.substring(0, colon)) || colon == token.length() - 1) {
      return null;
    }
    String secret = token.substring(colon + 1);
    return new Session(token.substring(0, colon), secret, id == null ? hash(secret) : id);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Session session && session.name.equals(name) && session.id.equals(id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** The name and the id; never the secret. */
  @Override
  public String toString() {
    return name + " (session " + id + ")";
  }
}
