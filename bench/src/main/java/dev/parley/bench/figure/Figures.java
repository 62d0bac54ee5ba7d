package dev.parley.bench.figure;

import dev.parley.bench.measure.Figure;
import java.util.List;

/** All there is to measure, in the order of the results. */
public final class Figures {
  public static final List<Figure> ALL =
      List.of(
          new StreamFigure(),
          new PublishFigure(),
          new DiskFigure(),
          new WritersFigure(),
          new LatencyFigure(),
          new FanOutFigure(),
          new ReplayFigure(),
          new TopicsFigure(),
          new CommandFigure(),
          new SignedFigure(),
          new WaitersFigure(),
          new BatchFigure(),
          new GrowthFigure(),
          new MailFigure(),
          new BigBusFigure(),
          new CrowdFigure(),
          new LockFigure(),
          new DecisionsFigure(),
          new HandOverFigure(),
          new BusyFigure(),
          new McpFigure(),
          new DialectsFigure());

  private Figures() {}
}
