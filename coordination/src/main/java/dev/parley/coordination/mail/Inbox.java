package dev.parley.coordination.mail;

import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is in one's own inbox, and what one says of having been given and seen it. */
final class Inbox {
  private final Office office;

  Inbox(Office office) {
    this.office = office;
  }

  List<Letter> list(Filter filter) {
    return letters(filter, Integer.MAX_VALUE, false);
  }

  /** The oldest letter that is wanted and that this session has not been given. */
  @Nullable Letter next(Filter filter) {
    List<Letter> found = letters(filter.unread(true), 1, true);
    return found.isEmpty() ? null : found.getFirst();
  }

  private List<Letter> letters(Filter filter, int limit, boolean onlyNews) {
    List<Letter> letters = new ArrayList<>();
    for (Entry entry : office.checked().inbox()) {
      if (!filter.wants(entry) || (onlyNews && Letter.givenTo(entry, office.session().id()))) {
        continue;
      }
      Letter letter = own(entry);
      if (letter != null && filter.wants(letter)) {
        letters.add(letter);
        if (letters.size() == limit) {
          break;
        }
      }
    }
    return letters;
  }

  private @Nullable Letter own(Entry entry) {
    return office.letter(office.me(), entry);
  }

  @Nullable Letter find(String id) {
    Entry entry = office.mailbox().find(id);
    return entry == null ? null : own(entry);
  }

  List<Letter> held() {
    return office.checked().inbox().stream()
        .filter(entry -> entry.state() == State.HELD)
        .map(this::own)
        .filter(Objects::nonNull)
        .toList();
  }

  void letGo(Collection<String> ids) {
    var _ = office.present();
    Mailbox mailbox = office.mailbox();
    for (String id : ids) {
      Entry entry = office.open(mailbox, id);
      if (entry.state() != State.HELD) {
        throw ParleyException.refused(
            "not-held", "The message " + id + " is not held.", "parley inbox held lists those.");
      }
      Json payload =
          Json.object().put("position", entry.position().value()).put("id", entry.id()).build();
      control(MailTypes.LET_GO, payload);
    }
  }

  void setLimits(MailLimits limits) {
    var _ = office.present();
    control(MailTypes.LIMITS, limits.toJson());
    // What was sent is folded from its own topic, and knows only what stands there.
    Message same = Message.of(office.me(), MailTypes.LIMITS, limits.toJson());
    var _ = office.append(Outbox.of(office.me()), same);
  }

  private void control(String type, Json payload) {
    var _ = office.append(Mailbox.mailOf(office.me()), Message.of(office.me(), type, payload));
  }

  void delivered(Collection<Letter> letters) {
    receipt(letters, false);
  }

  void seen(Collection<Letter> letters) {
    receipt(letters, true);
  }

  private void receipt(Collection<Letter> letters, boolean seen) {
    String session = office.session().id();
    Set<Position> given = new HashSet<>();
    for (Letter letter : letters) {
      Entry entry = letter.entry();
      if (!entry.has(State.SEEN) && (seen || !Letter.givenTo(entry, session))) {
        given.add(entry.position());
      }
    }
    if (!given.isEmpty()) {
      var _ =
          office.append(
              Mailbox.receiptsOf(office.me()),
              Receipts.receipt(office.mailbox(), office.me(), session, given, seen));
    }
  }
}
