package dev.parley.core.writer;

import java.nio.charset.StandardCharsets;

/**
 * Makes writer ids that only who knows a secret can make, and recognises them without a list: 50 of
 * the 80 bits are random, 30 are a keyed digest of those. A stranger's id passes once in a billion
 * times; an id that was seen in a log can be copied, which only a signature could prevent.
 */
public final class WriterKey {
  private static final int TAG_BITS = 30;
  private static final long TAG = (1L << TAG_BITS) - 1;
  private static final byte[] FIRST = label("parley writer 1.");
  private static final byte[] SECOND = label("parley writer 2.");

  private final byte[] key = new byte[SipHash.KEY];

  private WriterKey(byte[] secret) {
    put(key, 0, SipHash.of(FIRST, secret, 0, secret.length));
    put(key, Long.BYTES, SipHash.of(SECOND, secret, 0, secret.length));
  }

  /** The key that belongs to a secret of any length. */
  public static WriterKey of(byte[] secret) {
    return new WriterKey(secret);
  }

  private static byte[] label(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void put(byte[] bytes, int from, long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[from + i] = (byte) (value >> (Byte.SIZE * i));
    }
  }

  /** A new writer id. */
  public WriterId next() {
    WriterId random = WriterId.random();
    return random.tagged(tag(random), TAG);
  }

  /** Whether an id was made with this key. */
  public boolean made(WriterId id) {
    return id.tagged(tag(id), TAG).equals(id);
  }

  private long tag(WriterId id) {
    byte[] random = new byte[2 * Long.BYTES];
    put(random, 0, id.high());
    put(random, Long.BYTES, id.low() & ~TAG);
    return SipHash.of(key, random, 0, random.length) & TAG;
  }
}
