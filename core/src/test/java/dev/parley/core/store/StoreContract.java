package dev.parley.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Bookmark;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every store, beyond that of its log. */
public abstract class StoreContract {
  private static final Topic NOTES = new Topic("notes");
  private static final byte[] CONTENT = "a long text".getBytes(StandardCharsets.UTF_8);

  /** An empty store. */
  protected abstract Store open() throws Exception;

  /** The same store as another process opens it; null for a store of one process. */
  protected abstract @Nullable Store again() throws Exception;

  @Test
  void whatIsKeptIsThereAfterTheStoreIsOpenedAgain() throws Exception {
    Store store = open();
    Stored stored = store.log().append(NOTES, Message.of("alice", "note", Json.of(1)));
    Bookmark place = store.log().bookmark(NOTES, stored.position());
    store.views().save("ledger", CONTENT);
    store.cursors().save("mine", Map.of(NOTES, place));
    String digest = store.contents().store(CONTENT);
    assertThat(store.secrets().keep("alice", "first")).isEqualTo("first");
    assertThat(store.secrets().keep("alice", "second")).isEqualTo("first");
    store.secrets().replace("alice", "third");
    check(store, place, digest);

    Store again = again();
    if (again != null) {
      store.close();
      check(again, place, digest);
      again.close();
    } else {
      store.close();
    }
  }

  private static void check(Store store, Bookmark place, String digest) {
    assertThat(WholeTopic.of(store.log(), NOTES)).hasSize(1);
    assertThat(store.views().load("ledger")).isEqualTo(CONTENT);
    assertThat(store.cursors().load("mine")).isEqualTo(Map.of(NOTES, place));
    assertThat(store.contents().load(digest)).isEqualTo(CONTENT);
    assertThat(store.secrets().secret("alice")).isEqualTo("third");
  }

  @Test
  void whatWasNeverKeptIsNotThere() throws Exception {
    try (Store store = open()) {
      assertThat(store.views().load("ledger")).isNull();
      assertThat(store.cursors().load("mine")).isEmpty();
      assertThat(store.secrets().secret("alice")).isNull();
      assertThatThrownBy(() -> store.contents().load(Contents.digest(CONTENT)))
          .isInstanceOf(ParleyException.class);
      assertThat(store.log().topics(Prefix.ALL)).isEmpty();
    }
  }

  @Test
  void invalidNamesAreRefused() throws Exception {
    try (Store store = open()) {
      for (String name : new String[] {"", "../alice", "a/b", "."}) {
        assertThatThrownBy(() -> store.secrets().keep(name, "x"))
            .as(name)
            .isInstanceOf(ParleyException.class);
        assertThatThrownBy(() -> store.cursors().load(name))
            .as(name)
            .isInstanceOf(ParleyException.class);
      }
    }
  }

  @Test
  void aClosedStoreHasAClosedLog() throws Exception {
    Store store = open();
    store.close();
    assertThatThrownBy(() -> store.log().topics(Prefix.ALL)).isInstanceOf(ParleyException.class);
  }
}
