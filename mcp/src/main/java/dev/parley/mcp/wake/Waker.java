package dev.parley.mcp.wake;

import dev.parley.Agent;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.wake.Wake;
import dev.parley.coordination.wake.WakeLimit;
import dev.parley.coordination.wake.WakeLog;
import dev.parley.coordination.wake.WakeState;
import dev.parley.coordination.wake.Wakes;
import dev.parley.mcp.tools.AgentContext;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits for mail for an idle agent, and tells when to wake it.
 *
 * <p>One wake covers all mail within {@link WakeLimit#GATHER}. The order of the log decides which
 * wakes are allowed. This class only checks first, so that a wake that is not allowed yet costs no
 * line.
 */
public final class Waker {
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** The pause doubles after each failure in a row, up to this. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  private final Agent agent;
  private final WakeLog waking;
  private int failures;

  public Waker(Agent agent) {
    this.agent = agent;
    this.waking = agent.waking();
  }

  /**
   * A granted wake.
   *
   * @param mail the mail that it is for
   * @param notice one line for the agent: how much mail there is and from whom
   */
  public record Granted(Wake wake, List<ReceivedMail> mail, String notice) {}

  /**
   * Waits for mail, and until the limits allow a wake.
   *
   * @return null after the timeout, or if there is no way to wake the agent
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
    List<ReceivedMail> mail = news(agent); // the agent may have read some meanwhile
    if (mail.isEmpty()) {
      return null;
    }
    Wake wake = waking.request(mail);
    return wake.state() == WakeState.REQUESTED
        ? new Granted(wake, mail, AgentContext.notice(mail))
        : null;
  }

  /** Records that the host has the notice, so that the mail is not announced again. */
  public void delivered(Granted granted) {
    waking.delivered(granted.wake());
    agent.mail().delivered(granted.mail());
  }

  /**
   * Wakes the agent whenever it has mail, until its thread is interrupted or there is no way to
   * wake it.
   */
  public void wakeWith(WakeCall call) throws InterruptedException {
    for (Granted granted = next(FOREVER); granted != null; granted = next(FOREVER)) {
      Thread.sleep(wake(granted, call));
    }
  }

  /**
   * Gives the notice to the host, and records what came of it.
   *
   * @return how long to wait before the next attempt: longer after each that failed
   */
  public Duration wake(Granted granted, WakeCall call) throws InterruptedException {
    try {
      call.wake("Parley: " + granted.notice());
      delivered(granted);
      failures = 0;
      return Duration.ZERO;
    } catch (CannotWakeException e) {
      waking.failed(granted.wake(), e.code());
      failures = Math.min(failures + 1, 10);
      Duration pause = waking.now().limits().time(WakeLimit.COOL_DOWN).multipliedBy(1L << failures);
      return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
  }

  private static final Duration FOREVER = Duration.ofDays(365);

  /** The mail that the agent's session was not told of yet. */
  static List<ReceivedMail> news(Agent agent) {
    return agent.mail().inbox(MailFilter.ANY.unread(true)).stream().filter(Waker::isNews).toList();
  }

  /** Whether the agent's session was not told of it yet. */
  public static boolean isNews(ReceivedMail letter) {
    return letter.state() == DeliveryState.STORED || letter.again();
  }
}
