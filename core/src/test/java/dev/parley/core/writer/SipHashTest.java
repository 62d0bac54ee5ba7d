package dev.parley.core.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SipHashTest {
  /** The test vectors of the reference implementation; their bytes are little-endian. */
  @Test
  void isWhatItsInventorsSay() {
    byte[] key = new byte[SipHash.KEY];
    byte[] bytes = new byte[64];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
      key[i % key.length] = (byte) (i % key.length);
    }
    assertThat(SipHash.of(key, bytes, 0, 0)).isEqualTo(0x726fdb47dd0e0e31L);
    assertThat(SipHash.of(key, bytes, 0, 1)).isEqualTo(0x74f839c593dc67fdL);
    assertThat(SipHash.of(key, bytes, 0, 7)).isEqualTo(0xab0200f58b01d137L);
    assertThat(SipHash.of(key, bytes, 0, 8)).isEqualTo(0x93f5f5799a932462L);
    assertThat(SipHash.of(key, bytes, 0, 15)).isEqualTo(0xa129ca6149be45e5L);
  }
}
