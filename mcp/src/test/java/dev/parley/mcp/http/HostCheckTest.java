package dev.parley.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests by a name that leads here, but is not this machine's, are refused. */
class HostCheckTest {
  private final HostCheck usual = new HostCheck(List.of());

  @ParameterizedTest
  @CsvSource({
    "localhost, true",
    "LOCALHOST:8080, true",
    "127.0.0.1, true",
    "127.0.0.1:65535, true",
    "[::1], true",
    "[::1]:8080, true",
    "'', false",
    "evil.example.com, false",
    "evil.example.com:8080, false",
    "localhost.evil.example.com, false",
    "127.0.0.1.evil.example.com, false",
    "127.0.0.1.nip.io, false",
    "localhost., false",
    "localhost:, false",
    "localhost:80:80, false",
    "localhost:8o8o, false",
    "localhost:123456, false",
    "localhost@evil.example.com, false",
    "evil.example.com#localhost, false",
    "127.0.0.2, false",
    "127.1, false",
    "0.0.0.0, false",
    "2130706433, false",
    "::1, false",
    "[::1, false",
    "[::2], false",
    "[::1].evil.example.com, false",
    "' localhost', false"
  })
  void aHostIsTakenOnlyIfItIsAnExactNameOfThisMachine(String host, boolean taken) {
    assertThat(usual.isHost(List.of(host))).isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost, true",
    "http://localhost:3000, true",
    "https://127.0.0.1:8443, true",
    "http://[::1]:8080, true",
    "null, false",
    "'', false",
    "localhost, false",
    "file://, false",
    "http://evil.example.com, false",
    "http://localhost.evil.example.com, false",
    "http://localhost/, false",
    "http://localhost:3000/path, false",
    "http://user@localhost, false",
    "HTTP://localhost, false",
    "chrome-extension://abcdef, false"
  })
  void anOriginIsTakenOnlyIfItsPageCameFromThisMachine(String origin, boolean taken) {
    assertThat(usual.isOrigin(List.of(origin))).isEqualTo(taken);
  }

  @Test
  void aRequestHasOneHostAndAtMostOneOrigin() {
    assertThat(usual.isHost(null)).isFalse();
    assertThat(usual.isHost(List.of())).isFalse();
    assertThat(usual.isHost(List.of("localhost", "localhost"))).isFalse();
    assertThat(usual.isOrigin(null)).isTrue();
    assertThat(usual.isOrigin(List.of("http://localhost", "http://localhost"))).isFalse();
  }

  @Test
  void moreNamesCanBeAllowed() {
    HostCheck check = new HostCheck(List.of("Build-Box"));
    assertThat(check.isHost(List.of("build-box:8080"))).isTrue();
    assertThat(check.isHost(List.of("build-box.evil.example.com"))).isFalse();
  }
}
