package dev.parley.cli.swarm;

import dev.parley.cli.command.Invocation;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mail.SendResult;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.dialects.message.OversizeStore;
import dev.parley.dialects.swarm.MessagePersistence;
import dev.parley.dialects.swarm.SwarmCodec;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.text.Explanation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps sent mail under a session of a Swarm folder. */
public final class SessionMail {
  private final Invocation invocation;
  private final MessagePersistence persistence;

  private SessionMail(Invocation invocation, MessagePersistence persistence) {
    this.invocation = invocation;
    this.persistence = persistence;
  }

  /**
   * Checks the session. Call this before the mail is sent.
   *
   * @param mount the Swarm mount; null if there is only one
   * @throws ParleyException REFUSED if there is no such session
   */
  public static SessionMail under(Invocation invocation, String session, @Nullable String mount) {
    return new SessionMail(
        invocation, MessagePersistence.under(SwarmFolder.of(invocation, mount), session));
  }

  /**
   * Keeps sent mail.
   *
   * @return why it could not be kept; null if it is
   */
  public @Nullable String keep(Mail mail, SendResult result) {
    try {
      return persistence.keep(messages(mail, result));
    } catch (ParleyException e) {
      return Explanation.messageOf(e);
    }
  }

  /** The messages as the files have them, with their ids and times there. */
  private List<SwarmMessage> messages(Mail mail, SendResult result) {
    OversizeStore oversize =
        new OversizeStore(invocation.bus().contents(), invocation.openedBus().log().limits());
    List<SwarmMessage> messages = new ArrayList<>();
    for (SendResult.Copy copy : result.copies()) {
      ReceivedMail letter = mail.findSent(copy.id());
      if (letter != null) {
        Envelope whole = oversize.whole(letter.envelope());
        messages.add(new SwarmCodec().fromLog(whole).addressedTo(copy.to()));
      }
    }
    return messages;
  }
}
