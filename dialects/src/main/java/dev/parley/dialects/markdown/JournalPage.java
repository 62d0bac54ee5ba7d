package dev.parley.dialects.markdown;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The text at the top of a new journal: it explains the format to people and agents that open it.
 */
final class JournalPage {
  private JournalPage() {}

  static String text() {
    return """
    # Message Bus

    **Version:** v3 (file-based protocol)
    **Protocol:** Append-only. What stands here is never changed.

    ---

    ## Message Format Reference

    ```markdown
    ---
    messageId: MSG-YYYYMMDD-HHMMSS-<agent>-<rand>
    type: <%s>
    agent: <agent-type>-<role>-<instance>
    timestamp: YYYY-MM-DDTHH:MM:SSZ
    runId: <run_XXX>
    taskId: <TASK-...>
    relatesTo: <parent-messageId>
    files: <optional list>
    artifacts: <optional list>
    ---

    <message content>

    ---
    ```

    An `ANSWER` must say what it answers (`relatesTo`); `runId` and `taskId` are always there.
    In a body, a line that is `---` is written `\\---`.

    %s
    ---

    ## Messages

    <!-- All messages below this line. Append only. -->
    """
        .formatted(
            String.join("|", JournalType.names()),
            Arrays.stream(JournalTemplate.values())
                .map(JournalPage::section)
                .collect(Collectors.joining("\n")));
  }

  private static String section(JournalTemplate template) {
    String title = template.name().toUpperCase(Locale.ROOT);
    return "### " + title + " Template\n\n````markdown\n" + template.fill(Map.of()) + "\n````\n";
  }
}
