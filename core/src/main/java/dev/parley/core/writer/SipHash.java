package dev.parley.core.writer;

import dev.parley.core.json.ByteWords;

/**
 * SipHash-2-4: a digest of 64 bits that only who has the key can make. The digests of the JDK are
 * stronger, and loading them takes a command 10 to 30 ms.
 */
public final class SipHash {
  /** How long a key is, in bytes. */
  public static final int KEY = 16;

  private long v0;
  private long v1;
  private long v2;
  private long v3;

  private SipHash(byte[] key) {
    if (key.length != KEY) {
      throw new IllegalArgumentException("a key has " + KEY + " bytes");
    }
    long k0 = ByteWords.at(key, 0);
    long k1 = ByteWords.at(key, Long.BYTES);
    v0 = k0 ^ 0x736f6d6570736575L;
    v1 = k1 ^ 0x646f72616e646f6dL;
    v2 = k0 ^ 0x6c7967656e657261L;
    v3 = k1 ^ 0x7465646279746573L;
  }

  /** The digest of {@code bytes[from..to)}. */
  public static long of(byte[] key, byte[] bytes, int from, int to) {
    SipHash hash = new SipHash(key);
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      hash.add(ByteWords.at(bytes, i));
    }
    long last = (long) (to - from) << 56;
    for (int shift = 0; i < to; i++, shift += Byte.SIZE) {
      last |= (bytes[i] & 0xffL) << shift;
    }
    hash.add(last);
    hash.v2 ^= 0xff;
    hash.mix();
    hash.mix();
    hash.mix();
    hash.mix();
    return hash.v0 ^ hash.v1 ^ hash.v2 ^ hash.v3;
  }

  private void add(long word) {
    v3 ^= word;
    mix();
    mix();
    v0 ^= word;
  }

  private void mix() {
    v0 += v1;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v3;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 += v3;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 += v1;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v2 = Long.rotateLeft(v2, 32);
  }
}
