package dev.parley.coordination.wake;

import java.util.Locale;

/** How an idle agent is woken. */
public enum WakeWay {
  /** A hook that waits in the background ends, and the host starts a turn. */
  HOOK,
  /** The notice is put into the host's own queue of prompts. */
  QUEUE,
  /** The notice is given to the host as a prompt. */
  PROMPT,
  /** The notice is typed into the terminal pane of the host. */
  PANE,
  /** A program is started with the notice. */
  PROGRAM,
  /** The host offers no way: mail waits until the agent looks. */
  NONE;

  /** The word for it: its name in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
