package dev.parley.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.cli.tail.Lanes;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Shell;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The story of a demo, told again from the bus that it left. */
public record DemoReplay(Map<String, List<String>> linesOfTopics, List<String> summary) {
  public static DemoReplay from(Path bus) {
    DemoNarration narration = new DemoNarration();
    Map<String, List<String>> lines = new TreeMap<>();
    try (FileLog log = BusFolder.find(bus, bus, Map.of()).openLog()) {
      for (Topic topic : log.topics(Prefix.ALL)) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Output output = new Output(out, false, false, false, Shell.ofProcess().devices());
        Lanes lanes = DemoNarration.lanes(output);
        for (Envelope envelope : all(log, topic)) {
          narration.tell(envelope).forEach(lanes::print);
        }
        output.flush();
        List<String> told = out.toString(UTF_8).lines().toList();
        if (!told.isEmpty()) {
          lines.put(topic.name(), new ArrayList<>(told));
        }
      }
    }
    return new DemoReplay(lines, narration.summary());
  }

  private static List<Envelope> all(Log log, Topic topic) {
    return WholeTopic.of(log, topic);
  }
}
