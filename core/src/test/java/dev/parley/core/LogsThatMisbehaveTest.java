package dev.parley.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.writer.WriterId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tests of {@link LogContract} detect logs that break it. */
class LogsThatMisbehaveTest {
  private static final Map<String, Function<Log, Log>> WAYS = new LinkedHashMap<>();

  private static void way(String name, Function<Log, Log> log) {
    WAYS.put(name, log);
  }

  static {
    way(
        "it loses what it acknowledged",
        good ->
            new ForwardingLog(good) {
              private final AtomicInteger count = new AtomicInteger();

              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                if (count.incrementAndGet() % 7 != 0) {
                  return super.append(topic, messages);
                }
                List<Stored> stored = new ArrayList<>();
                for (Message message : messages) {
                  stored.add(
                      new Stored(topic, WriterId.random(), 1, 1, good.end(topic).position(), 0));
                  assertThat(message).isNotNull();
                }
                return stored;
              }
            });
    way(
        "it stores twice",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                var _ = super.append(topic, messages);
                return super.append(topic, messages);
              }
            });
    way(
        "it answers the place before",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                Position before = good.end(topic).position();
                return super.append(topic, messages).stream()
                    .map(one ->
                        new Stored(
                            topic, one.writer(), one.number(), one.seq(), before, one.length()))
                    .toList();
              }
            });
    way(
        "it answers another id",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                return super.append(topic, messages).stream()
                    .map(one ->
                        new Stored(
                            topic, WriterId.random(), 1, one.seq(), one.position(), one.length()))
                    .toList();
              }
            });
    way(
        "it turns batches around",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                return super.append(topic, messages.reversed()).reversed();
              }
            });
    way(
        "it lets others between the messages of a batch",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                messages.forEach(message -> EnvelopeEncoder.check(good.limits(), topic, message));
                List<Stored> stored = new ArrayList<>();
                for (Message message : messages) {
                  stored.addAll(super.append(topic, List.of(message)));
                  LockSupport.parkNanos(1_000); // lets other threads interleave
                }
                return stored;
              }
            });
    way(
        "it writes a part before it refuses",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                List<Stored> stored = new ArrayList<>();
                messages.forEach(message -> stored.addAll(super.append(topic, List.of(message))));
                return stored;
              }
            });
    way(
        "it takes no notice of the limit of a read",
        good ->
            new ForwardingLog(good) {
              @Override
              public Batch read(Topic topic, Bookmark after, int limit) {
                return super.read(topic, after, 10_000);
              }
            });
    way(
        "it reads from the beginning every time",
        good ->
            new ForwardingLog(good) {
              @Override
              public Batch read(Topic topic, Bookmark after, int limit) {
                return super.read(topic, Bookmark.START, limit);
              }
            });
    way(
        "it takes any place for a good one",
        good ->
            new ForwardingLog(good) {
              @Override
              public Batch read(Topic topic, Bookmark after, int limit) {
                try {
                  return super.read(topic, after, limit);
                } catch (LostPlaceException e) {
                  return super.read(topic, Bookmark.START, limit);
                }
              }
            });
    way(
        "it says that the end is the beginning",
        good ->
            new ForwardingLog(good) {
              @Override
              public Bookmark end(Topic topic) {
                return Bookmark.START;
              }
            });
    way(
        "it knows topics that were only asked for",
        good ->
            new ForwardingLog(good) {
              @Override
              public Set<Topic> topics(Prefix under) {
                Set<Topic> topics = new java.util.TreeSet<>(super.topics(under));
                topics.add(new Topic("nowhere"));
                return topics;
              }
            });
    way(
        "its prefixes match parts of names",
        good ->
            new ForwardingLog(good) {
              @Override
              public Set<Topic> topics(Prefix under) {
                return super.topics(Prefix.ALL);
              }
            });
    way(
        "its doorbells never ring",
        good ->
            new ForwardingLog(good) {
              @Override
              public Doorbell doorbell(Prefix under) {
                return super.doorbell(Prefix.of("nothing.here"));
              }
            });
    way(
        "its doorbells ring for other topics",
        good ->
            new ForwardingLog(good) {
              @Override
              public Doorbell doorbell(Prefix under) {
                return super.doorbell(Prefix.ALL);
              }
            });
    way(
        "its doorbells say that they are near and ring late",
        good ->
            new ForwardingLog(good) {
              @Override
              public Doorbell doorbell(Prefix under) {
                Doorbell bell = super.doorbell(under);
                return new Doorbell() {
                  @Override
                  public Set<Topic> await(Duration atMost) throws InterruptedException {
                    return atMost.isZero() ? Set.of() : bell.await(atMost);
                  }

                  @Override
                  public boolean isNear() {
                    return true;
                  }

                  @Override
                  public void close() {
                    bell.close();
                  }
                };
              }
            });
    way(
        "it can be used when it is closed",
        good ->
            new ForwardingLog(good) {
              @Override
              public void close() {}
            });
    way(
        "it finds nothing",
        good ->
            new ForwardingLog(good) {
              @Override
              public Optional<Envelope> find(String id) {
                return Optional.empty();
              }
            });
    way(
        "it finds something for every id",
        good ->
            new ForwardingLog(good) {
              @Override
              public Optional<Envelope> find(String id) {
                return topics(Prefix.ALL).stream()
                    .flatMap(topic -> WholeTopic.of(good, topic).stream())
                    .reduce((first, last) -> last);
              }
            });
    way(
        "it loses extra fields",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                return super.append(
                    topic,
                    messages.stream()
                        .map(one -> one.extra().isEmpty() ? one : without(one))
                        .toList());
              }
            });
    way(
        "it says failed of what it stored",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                List<Stored> stored = super.append(topic, messages);
                if (Thread.currentThread().isInterrupted()) {
                  throw new AppendException(
                      ParleyException.Kind.FAILED,
                      "gone",
                      "It failed.",
                      "Try again.",
                      List.of(),
                      null);
                }
                return stored;
              }
            });
    way(
        "it tries again by itself what may be there",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                List<Stored> stored = super.append(topic, messages);
                return Thread.currentThread().isInterrupted()
                    ? super.append(topic, messages)
                    : stored;
              }
            });
    way(
        "its writers count one another's lines",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                var _ = good.append(new Topic("notes.more"), messages);
                return super.append(topic, messages).stream()
                    .map(one ->
                        new Stored(
                            topic,
                            one.writer(),
                            one.number(),
                            one.seq() + 1,
                            one.position(),
                            one.length()))
                    .toList();
              }
            });
  }

  private static Message without(Message message) {
    return Message.of(message.sender(), message.type(), Json.NULL);
  }

  static Set<String> ways() {
    return WAYS.keySet();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theContractFindsIt(String way) throws Exception {
    String found = firstFailure(Objects.requireNonNull(WAYS.get(way)));

    assertThat(found).as(way).isNotNull();
    Seed.say(way + ": " + found);
  }

  @Test
  void theContractFindsNothingInALogThatKeepsIt() throws Exception {
    assertThat(firstFailure(ForwardingLog::new)).isNull();
  }

  @Test
  void theContractFindsAnotherLogThatIsNotOnTheSameTopics() throws Exception {
    assertThat(firstFailure(ForwardingLog::new, first -> new MemoryLog())).isNotNull();
  }

  @Test
  void theContractFindsAnotherLogThatIsNoWriterOfItsOwn() throws Exception {
    assertThat(firstFailure(ForwardingLog::new, LogThatStaysOpen::new)).isNotNull();
  }

  private static final class LogThatStaysOpen extends ForwardingLog {
    private LogThatStaysOpen(Log log) {
      super(log);
    }

    @Override
    public void close() {
      // The other log still uses it.
    }
  }

  private static @Nullable String firstFailure(Function<Log, Log> kind) throws Exception {
    return firstFailure(kind, first -> null);
  }

  /** The name of the first test of the contract that fails; null if none does. */
  private static @Nullable String firstFailure(
      Function<Log, Log> kind, Function<Log, @Nullable Log> another) throws Exception {
    int tests = 0;
    for (Method test : LogContract.class.getDeclaredMethods()) {
      if (test.isAnnotationPresent(Test.class)) {
        tests++;
        LogContract contract =
            new LogContract() {
              private @Nullable Log first;

              @Override
              protected Log open() {
                Log log = kind.apply(new MemoryLog());
                first = first == null ? log : first;
                return log;
              }

              @Override
              protected @Nullable Log another() {
                return another.apply(Objects.requireNonNull(first));
              }
            };
        contract.openLog();
        try {
          test.setAccessible(true);
          test.invoke(contract);
        } catch (InvocationTargetException e) {
          return test.getName();
        } finally {
          contract.closeLog();
        }
      }
    }
    assertThat(tests).isGreaterThan(20);
    return null;
  }
}
