package dev.parley.core;

import dev.parley.core.json.Json;

/**
 * A few envelopes of a topic in memory, in columns. Not one object stays for an envelope, so a
 * collector that has to move a long history moves a few arrays.
 */
final class MemoryPage {
  /** How many envelopes a page holds: few, as most topics are short. */
  static final int SIZE = 64;

  private final WriterId writer;
  private final long[] numbers = new long[SIZE];
  private final long[] micros = new long[SIZE];
  private final String[] senders = new String[SIZE];
  private final String[] types = new String[SIZE];
  private final Json[] payloads = new Json[SIZE];
  private final Message.Options[] options = new Message.Options[SIZE];

  MemoryPage(WriterId writer) {
    this.writer = writer;
  }

  void put(int index, long number, long time, Message message) {
    numbers[index] = number;
    micros[index] = time;
    senders[index] = message.sender();
    types[index] = message.type();
    payloads[index] = message.payload();
    options[index] = message.options();
  }

  WriterId writer() {
    return writer;
  }

  String id(int index) {
    return writer.id(numbers[index]);
  }

  long number(int index) {
    return numbers[index];
  }

  /** See {@link Timestamps#micros}. */
  long micros(int index) {
    return micros[index];
  }

  Message message(int index) {
    return new Message(senders[index], types[index], payloads[index], options[index]);
  }
}
