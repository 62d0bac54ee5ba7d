package dev.parley.coordination.testing;

import dev.parley.core.ForwardingLog;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.memory.MemoryLog;
import java.util.List;

/** A log on a disk that may be full. */
public final class FullLog extends ForwardingLog {
  private volatile boolean isFull;

  public FullLog() {
    super(new MemoryLog());
  }

  public void fill(boolean full) {
    isFull = full;
  }

  @Override
  public List<Stored> append(Topic topic, List<Message> messages) {
    if (isFull) {
      throw new ParleyException(
          ParleyException.Kind.FAILED, "disk-full", "The disk is full.", "Make room.");
    }
    return super.append(topic, messages);
  }
}
