package dev.parley.cli.mail;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.coordination.mail.Mailbox;
import dev.parley.coordination.mail.Receipt;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells a sender how far a message came. */
final class SendAnswer {
  private SendAnswer() {}

  /**
   * @param answered the id of the message it answers; null if it answers none
   */
  static void print(Output out, Receipt receipt, @Nullable String answered) {
    if (out.isJson()) {
      out.line(json(receipt, answered));
      return;
    }
    for (Receipt.Copy copy : receipt.copies()) {
      out.line(
          state(copy)
              + " "
              + copy.position().in(Mailbox.mailOf(copy.to()))
              + " ("
              + copy.id()
              + ") for "
              + copy.to());
      if (copy.warning() != null) {
        out.line("  " + Printable.text(copy.warning()) + ".");
      }
    }
    if (answered != null) {
      out.line(answered + " is done: answered.");
    }
  }

  private static Json json(Receipt receipt, @Nullable String answered) {
    Receipt.Copy first = receipt.first();
    List<String> to = receipt.copies().stream().map(Receipt.Copy::to).toList();
    Json.ObjectBuilder json =
        Json.object()
            .put("state", state(first))
            .put("id", first.id())
            .put("position", first.position().value())
            .put("to", Json.ofStrings(to));
    if (answered != null) {
      json.put("answered", answered);
    }
    if (first.repeated()) {
      json.put("repeated", true);
    }
    if (to.size() > 1 || first.warning() != null) {
      json.put("copies", Json.of(receipt.copies().stream().map(SendAnswer::copy).toList()));
    }
    return json.build();
  }

  private static Json copy(Receipt.Copy copy) {
    return Json.object()
        .put("to", copy.to())
        .put("state", state(copy))
        .put("id", copy.id())
        .put("position", copy.position().value())
        .put("warning", copy.warning())
        .build();
  }

  private static String state(Receipt.Copy copy) {
    return copy.state() == null ? "ended" : copy.state().word();
  }
}
