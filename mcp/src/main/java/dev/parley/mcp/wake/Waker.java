package dev.parley.mcp.wake;

import dev.parley.Agent;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.wake.Wake;
import dev.parley.coordination.wake.WakeLimit;
import dev.parley.coordination.wake.WakeState;
import dev.parley.coordination.wake.Wakes;
import dev.parley.coordination.wake.Waking;
import dev.parley.mcp.tools.AgentContext;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits for mail in the place of an idle agent, and says when it is to be woken.
 *
 * <p>One wake stands for all mail that comes within {@link WakeLimit#GATHER}. Which wakes are
 * allowed is decided by the order of the log; this class only looks first, so that a wake that is
 * not allowed yet costs no line.
 */
public final class Waker {
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** After wakes that failed in a row the pause doubles, up to this. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  private final Agent agent;
  private final Waking waking;

  public Waker(Agent agent) {
    this.agent = agent;
    this.waking = agent.waking();
  }

  /**
   * A wake that was granted.
   *
   * @param mail what it is for
   * @param notice one line for the agent: how much mail there is and from whom
   */
  public record Granted(Wake wake, List<ReceivedMail> mail, String notice) {}

  /**
   * Waits for mail and for the limits.
   *
   * @return null if the time is over, or there is no way to wake the agent
   */
  public @Nullable Granted next(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (left.isNegative() || agent.mail().await(MailFilter.ANY, left) == null) {
        return null;
      }
      List<ReceivedMail> mail = news(agent);
      Duration rest = waking.untilAllowed(mail);
      if (rest == null) {
        return null;
      }
      if (mail.isEmpty() || rest.isPositive()) {
        Thread.sleep(mail.isEmpty() || rest.compareTo(LOOK) > 0 ? LOOK : rest.plusMillis(1));
        continue;
      }
      Granted granted = granted(mail);
      if (granted != null) {
        return granted;
      }
    }
  }

  private @Nullable Granted granted(List<ReceivedMail> first) throws InterruptedException {
    boolean isByPerson =
        first.stream().anyMatch(letter -> letter.entry().from().equals(Wakes.PERSON));
    if (!isByPerson) {
      Thread.sleep(waking.now().limits().time(WakeLimit.GATHER));
    }
    List<ReceivedMail> mail = news(agent); // the agent may have read it meanwhile
    if (mail.isEmpty()) {
      return null;
    }
    Wake wake = waking.request(mail);
    return wake.state() == WakeState.REQUESTED
        ? new Granted(wake, mail, AgentContext.notice(mail))
        : null;
  }

  /** Says that the host has the notice; the mail is not announced again. */
  public void delivered(Granted granted) {
    waking.delivered(granted.wake());
    agent.mail().delivered(granted.mail());
  }

  /**
   * Wakes the agent whenever it has mail, until its thread is interrupted or there is no way any
   * more.
   */
  public void wakeWith(WakeCall call) throws InterruptedException {
    int failed = 0;
    for (Granted granted = next(FOREVER); granted != null; granted = next(FOREVER)) {
      try {
        call.wake("Parley: " + granted.notice());
        delivered(granted);
        failed = 0;
      } catch (CannotWakeException e) {
        waking.failed(granted.wake(), e.code());
        failed = Math.min(failed + 1, 10);
        Duration pause = waking.now().limits().time(WakeLimit.COOL_DOWN).multipliedBy(1L << failed);
        Thread.sleep(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
      }
    }
  }

  private static final Duration FOREVER = Duration.ofDays(365);

  /** Mail that the agent's session was not told of yet. */
  static List<ReceivedMail> news(Agent agent) {
    return agent.mail().inbox(MailFilter.ANY.unread(true)).stream().filter(Waker::isNews).toList();
  }

  /** Whether the agent's session was not told of it yet. */
  public static boolean isNews(ReceivedMail letter) {
    return letter.state() == DeliveryState.STORED || letter.again();
  }
}
