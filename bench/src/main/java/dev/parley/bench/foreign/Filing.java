package dev.parley.bench.foreign;

import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.dialects.swarm.SendMessageInput;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/**
 * Puts one more message into an inbox, or writes the file that then results.
 *
 * <pre>
 * update folder messages times   done nanos   the median of adding the last of so many messages
 * write  folder messages times   done nanos   the median of writing them all to a file, and renaming it
 * </pre>
 */
public final class Filing implements Role {
  private static final String AGENT = "developer";

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    SwarmMessageBus bus = new SwarmMessageBus(Path.of(cue.word()).resolve(".swarm"), remark -> {});
    int messages = cue.number();
    long[] times = new long[cue.number()];
    bus.initializeAgentQueues();
    for (int i = 1; i < messages; i++) {
      bus.addToInbox(AGENT, message(i));
    }
    Path inbox = bus.getInboxPath(AGENT);
    byte[] before = Files.readAllBytes(inbox);
    bus.addToInbox(AGENT, message(messages));
    byte[] after = Files.readAllBytes(inbox);
    for (int i = 0; i < times.length; i++) {
      replace(inbox, before);
      SwarmMessage last = message(messages);
      long from = System.nanoTime();
      if (what.equals("update")) {
        bus.addToInbox(AGENT, last);
      } else {
        replace(inbox, after);
      }
      times[i] = System.nanoTime() - from;
    }
    Arrays.sort(times);
    stage.say("done", times[times.length / 2]);
  }

  private static SwarmMessage message(int number) {
    return SwarmMessageBus.createMessage(
        SendMessageInput.of(
            "orchestrator",
            AGENT,
            "finding",
            "Finding " + number,
            "The parser takes a list inside a list for text. A test with three levels shows it."));
  }

  private static void replace(Path file, byte[] content) throws Exception {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.write(temporary, content);
    var _ = Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
