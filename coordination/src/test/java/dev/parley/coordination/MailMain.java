package dev.parley.coordination;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.core.ParleyException;
import dev.parley.core.Reporter;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A process that sends or reads mail and prints what it was told, at once. */
final class MailMain {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private MailMain() {}

  /** Arguments: folder, token, then {@code send to n}, {@code end n seed} or {@code give}. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    BusFolder bus = BusFolder.find(folder, folder, System.getenv());
    try (FileLog log = bus.openLog()) {
      Team team = new Team(log, bus.views(), Reporter.TO_LOG);
      Mail mail = team.mail(Session.parse(args[1]));
      print("ready");
      switch (args[2]) {
        case "send" -> send(mail, args[3], Integer.parseInt(args[4]));
        case "end" -> end(mail, Integer.parseInt(args[3]), new Random(Long.parseLong(args[4])));
        default -> give(mail);
      }
    }
  }

  private static void print(String line) throws IOException {
    OUT.write((line + "\n").getBytes(US_ASCII));
  }

  private static void send(Mail mail, String to, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      print("sent " + mail.send(Draft.to(to).says("n" + i, "body")).first().id());
    }
  }

  /** Lists, acknowledges and removes until the input ends and nothing is left. */
  private static void end(Mail mail, int most, Random random)
      throws IOException, InterruptedException {
    boolean last = false;
    while (!last) {
      last = System.in.available() > 0;
      // One look after the last was sent, so that nothing is left.
      List<ReceivedMail> letters = new ArrayList<>(mail.inbox(MailFilter.ANY));
      if (letters.isEmpty() && !last) {
        var _ = mail.await(MailFilter.ANY, Duration.ofMillis(50));
      }
      Collections.shuffle(letters, random);
      mail.delivered(letters.subList(0, Math.min(most, letters.size())));
      for (ReceivedMail letter : letters) {
        end(mail, letter.entry().id(), random.nextBoolean());
      }
    }
  }

  private static void end(Mail mail, String id, boolean acknowledge) throws IOException {
    try {
      if (acknowledge) {
        mail.acknowledge(List.of(id));
      } else {
        mail.remove(List.of(id));
      }
      print((acknowledge ? "acknowledged " : "removed ") + id);
    } catch (ParleyException e) {
      // Another was faster; long ago, if nobody remembers.
      if (!e.code().equals("already-ended") && !e.code().equals("no-such-message")) {
        throw e;
      }
    }
  }

  /** Takes one letter, says so, and then never comes to show it to anybody. */
  private static void give(Mail mail) throws IOException, InterruptedException {
    ReceivedMail letter = mail.await(MailFilter.ANY, Duration.ofMinutes(1));
    mail.delivered(List.of(letter));
    print("given " + letter.entry().id() + " " + letter.again());
    var _ = System.in.read();
    mail.seen(List.of(letter));
    print("seen");
  }
}
