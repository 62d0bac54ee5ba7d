package dev.parley.cli.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One attack on a bus, as a text file tells it.
 *
 * <pre>
 * # What the attacker is after, in one sentence.
 * clone                             the bus came with a clone: nobody here has trusted it
 * forge TOPIC SENDER TYPE PAYLOAD   a line that is native in every respect
 * forge*N TOPIC …                   N of them; {n} in the payload counts
 * raw TOPIC TEXT                    a line as it stands
 * summed TOPIC TEXT                 the same, with the checksum that fits
 * file PATH TEXT                    a file in the bus folder
 * symlink PATH TARGET               a symbolic link in the bus folder
 * hardlink PATH TARGET              a second name, in the bus folder, of a file elsewhere
 * doctor TEXT                       what doctor must say, beside that the bus is not healthy
 * note TEXT                         what doctor must say of what does no harm
 * repair COMMAND                    what a person does about it
 * restore FILE                      a file of the bus that a person puts back from a backup
 * </pre>
 *
 * <p>In all of them {home} is the user's home, {id} the id of the bus, {session} what the log says
 * of alice's session, {token} the token of her lease, and in a repair {line} the position of the
 * last forged line.
 */
public record HostileScenario(String name, String what, List<Step> steps) {
  /**
   * A line of the scenario.
   *
   * @param verb the first word of its line
   * @param rest what follows
   */
  public record Step(String verb, String rest) {
    /** The words of the rest; the last one takes all that is left. */
    List<String> words(int count) {
      return List.of(rest.split(" ", count));
    }
  }

  public static HostileScenario read(Path file) throws IOException {
    String what = "";
    List<Step> steps = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#")) {
        what = line.substring(1).strip();
      } else if (!line.isBlank()) {
        int space = line.indexOf(' ');
        steps.add(
            space < 0
                ? new Step(line, "")
                : new Step(line.substring(0, space), line.substring(space + 1)));
      }
    }
    String name = String.valueOf(file.getFileName());
    return new HostileScenario(name, what, List.copyOf(steps));
  }

  public boolean isClone() {
    return steps.stream().anyMatch(step -> step.verb().equals("clone"));
  }

  public List<String> all(String verb) {
    return steps.stream().filter(step -> step.verb().equals(verb)).map(Step::rest).toList();
  }

  @Override
  public String toString() {
    return name + ": " + what;
  }
}
