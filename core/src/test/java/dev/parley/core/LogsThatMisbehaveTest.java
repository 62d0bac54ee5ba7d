package dev.parley.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.bus.LocalDoorbell;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.writer.WriterId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each test of {@link LogContract} fails on a log that breaks what it says, and none fails on a log
 * that keeps the contract.
 */
class LogsThatMisbehaveTest {
  /**
   * A log that breaks the contract.
   *
   * @param test the test that must find it
   * @param log wraps the log that every test begins with
   * @param another makes a second log of the first and of another good one on the same topics
   */
  record Way(String name, String test, Function<Log, Log> log, BinaryOperator<Log> another) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final List<Way> WAYS = new ArrayList<>();

  private static void way(String name, String test, Function<Log, Log> log) {
    WAYS.add(new Way(name, test, log, (first, good) -> log.apply(good)));
  }

  static {
    way(
        "it loses what it acknowledged",
        "whatIsAppendedIsReadBackInOrder",
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
        "whatIsAppendedIsReadBackInOrder",
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
        "aPositionThatWasAnsweredIsAPlaceToReadOn",
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
        "theAnswerNamesTheIdSeqAndPositionThatReadersSee",
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
        "theAnswerNamesTheIdSeqAndPositionThatReadersSee",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                return super.append(topic, messages.reversed()).reversed();
              }
            });
    way(
        "it lets others between the messages of a batch",
        "seed03FiftyPublishersAtOnceLoseNothingAndKeepTheirOrder",
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
        "aMessageOverALimitIsRefusedBeforeAnythingOfItsBatchIsWritten",
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
        "readingGoesOnWhereTheLastBatchEnded",
        good ->
            new ForwardingLog(good) {
              @Override
              public Batch read(Topic topic, Bookmark after, int limit) {
                return super.read(topic, after, 10_000);
              }
            });
    way(
        "it reads from the beginning every time",
        "readingGoesOnWhereTheLastBatchEnded",
        good ->
            new ForwardingLog(good) {
              @Override
              public Batch read(Topic topic, Bookmark after, int limit) {
                return super.read(topic, Bookmark.START, limit);
              }
            });
    way(
        "it takes any place for a good one",
        "aPlaceBeyondTheEndOrFromAnotherLogIsRefused",
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
        "afterTheEndOnlyWhatComesLaterIsRead",
        good ->
            new ForwardingLog(good) {
              @Override
              public Bookmark end(Topic topic) {
                return Bookmark.START;
              }
            });
    way(
        "it knows topics that were only asked for",
        "anUnknownTopicIsEmpty",
        good ->
            new ForwardingLog(good) {
              @Override
              public Set<Topic> topics(Prefix under) {
                Set<Topic> topics = new TreeSet<>(super.topics(under));
                topics.add(new Topic("nowhere"));
                return topics;
              }
            });
    way(
        "its prefixes match parts of names",
        "seed05PrefixesMatchWholeSegments",
        good ->
            new ForwardingLog(good) {
              @Override
              public Set<Topic> topics(Prefix under) {
                return super.topics(Prefix.ALL);
              }
            });
    way(
        "its doorbells never ring",
        "aDoorbellRingsForWhatIsAppendedAfterItWasMade",
        good ->
            new ForwardingLog(good) {
              @Override
              public Doorbell doorbell(Prefix under) {
                return super.doorbell(Prefix.of("nothing.here"));
              }
            });
    way(
        "its doorbells ring for other topics",
        "aDoorbellRingsForItsTopicsOnly",
        good ->
            new ForwardingLog(good) {
              @Override
              public Doorbell doorbell(Prefix under) {
                return super.doorbell(Prefix.ALL);
              }
            });
    way(
        "its doorbells say that they are near and ring late",
        "aNearDoorbellHasRungWhenAppendReturns",
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
        "aClosedLogRefusesEverything",
        good ->
            new ForwardingLog(good) {
              @Override
              public void close() {}
            });
    way(
        "it finds nothing",
        "anEnvelopeIsFoundByItsIdOrPlaceInWhicheverTopic",
        good ->
            new ForwardingLog(good) {
              @Override
              public Optional<Envelope> find(String id) {
                return Optional.empty();
              }
            });
    way(
        "it finds something for every id",
        "anEnvelopeIsFoundByItsIdOrPlaceInWhicheverTopic",
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
        "everyFieldOfAMessageComesBack",
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
        "it says of what it stored that it failed",
        "anInterruptedAppendSaysWhatBecameOfIt",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                List<Stored> stored = super.append(topic, messages);
                if (Thread.currentThread().isInterrupted()) {
                  throw failed(null);
                }
                return stored;
              }
            });
    way(
        "it stores again what an interrupt may have lost",
        "anInterruptedAppendSaysWhatBecameOfIt",
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
        "it does not count from one",
        "seqCountsEachTopicFromOneAndPositionsOnlyGrow",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
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
    way(
        "it stamps lines with the time of another day",
        "seed02EveryEnvelopeHasIdSeqTimestampSenderTopicTypeAndPayload",
        good ->
            new ChangedLines(good) {
              @Override
              String changed(String line) {
                return line.replaceFirst(
                    "\"timestamp\":\"....-..-..", "\"timestamp\":\"2026-01-01");
              }
            });
    way(
        "it stamps lines when they are read",
        "readsOfTheSamePlaceSeeTheSameLines",
        good ->
            new ChangedLines(good) {
              private final AtomicInteger reads = new AtomicInteger();

              @Override
              String changed(String line) {
                return line.replaceFirst("\\.\\d{6}Z", ".%06dZ".formatted(reads.incrementAndGet()));
              }
            });
    way(
        "it says what the boot clock said without being asked",
        "onlyWhatAsksForItSaysWhatTheBootClockSaid",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                return super.append(topic, messages.stream().map(Message::withClock).toList());
              }
            });
    way(
        "it refuses lines below the limit",
        "aLineUpToTheLimitIsTaken",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                for (Message message : messages) {
                  if (message.payload().length() > Limits.DEFAULT_LINE / 2) {
                    throw good.limits().tooLong(message.payload().length());
                  }
                }
                return super.append(topic, messages);
              }
            });
    way(
        "it writes a line for no messages",
        "nothingIsAppendedByAnEmptyBatch",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                return super.append(
                    topic,
                    messages.isEmpty()
                        ? List.of(Message.of("alice", "note", Json.NULL))
                        : messages);
              }
            });
    way(
        "it drops lines when there are many",
        "readsOfTheSamePlaceSeeTheSameLines",
        good ->
            new ForwardingLog(good) {
              @Override
              public Batch read(Topic topic, Bookmark after, int limit) {
                Batch batch = super.read(topic, after, limit);
                List<Envelope> kept = new ArrayList<>(batch.envelopes());
                kept.removeIf(
                    one -> one.position().value() == 1 && good.end(topic).position().value() > 20);
                return new Batch(kept, batch.damage(), batch.next());
              }
            });
    way(
        "closing its doorbells ends no wait",
        "closingADoorbellEndsItsWait",
        good -> new WithDoorbells(good, bell -> new DeafDoorbell()));
    way(
        "its doorbells outlive it",
        "closingALogEndsTheWaitsAtItsDoorbells",
        good -> new WithDoorbells(good, bell -> new DeafDoorbell()));
    way(
        "it says of what may be there that it failed",
        "anUnknownOutcomeIsSaidAndNotTriedAgain",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                try {
                  return super.append(topic, messages);
                } catch (AppendException e) {
                  throw failed(e);
                }
              }
            });
    way(
        "it tries again by itself what may be there",
        "anUnknownOutcomeIsSaidAndNotTriedAgain",
        good ->
            new ForwardingLog(good) {
              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                try {
                  return super.append(topic, messages);
                } catch (AppendException e) {
                  var _ = super.append(topic, messages);
                  throw e;
                }
              }
            });
    way(
        "it hides lines that are there twice",
        "aLineThatIsThereTwiceIsReadTwiceAndPassedOverByReadersOnce",
        good ->
            new ForwardingLog(good) {
              @Override
              public Batch read(Topic topic, Bookmark after, int limit) {
                Batch batch = super.read(topic, after, limit);
                Map<String, Envelope> first = new LinkedHashMap<>();
                batch.envelopes().forEach(one -> first.putIfAbsent(one.id(), one));
                return new Batch(List.copyOf(first.values()), batch.damage(), batch.next());
              }
            });
    way(
        "it hides what other writers append",
        "twoIndependentWritersLoseNothingAndAllReadersSeeOneOrder",
        good ->
            new ForwardingLog(good) {
              private final Set<String> own = ConcurrentHashMap.newKeySet();

              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                List<Stored> stored = super.append(topic, messages);
                stored.forEach(one -> own.add(one.id()));
                return stored;
              }

              @Override
              public Batch read(Topic topic, Bookmark after, int limit) {
                Batch batch = super.read(topic, after, limit);
                List<Envelope> kept = new ArrayList<>(batch.envelopes());
                kept.removeIf(one -> !own.contains(one.id()));
                return new Batch(kept, batch.damage(), batch.next());
              }
            });
    way(
        "its doorbells ring for its own lines only",
        "twoIndependentWritersLoseNothingAndAllReadersSeeOneOrder",
        good ->
            new ForwardingLog(good) {
              private final LocalDoorbell.DoorbellRegistry bells =
                  new LocalDoorbell.DoorbellRegistry();

              @Override
              public List<Stored> append(Topic topic, List<Message> messages) {
                List<Stored> stored = super.append(topic, messages);
                bells.ring(topic);
                return stored;
              }

              @Override
              public Doorbell doorbell(Prefix under) {
                return bells.add(under);
              }
            });
    WAYS.add(
        new Way(
            "it is empty when it is opened again",
            "aLogThatIsOpenedAgainHasTheSameEnvelopesAtTheSamePlaces",
            good -> good,
            (first, good) -> new MemoryLog()));
    WAYS.add(
        new Way(
            "it goes on as the same writer when it is opened again",
            "aLogThatIsOpenedAgainHasTheSameEnvelopesAtTheSamePlaces",
            good ->
                new ForwardingLog(good) {
                  @Override
                  public void close() {
                    // It is used by the one that is opened again.
                  }
                },
            (first, good) -> first));
  }

  private static AppendException failed(@Nullable Throwable cause) {
    return new AppendException(
        ParleyException.Kind.FAILED, "gone", "It failed.", "Try again.", List.of(), cause);
  }

  private static Message without(Message message) {
    return Message.of(message.sender(), message.type(), Json.NULL);
  }

  /** Changes lines when they are read. */
  private abstract static class ChangedLines extends ForwardingLog {
    ChangedLines(Log log) {
      super(log);
    }

    abstract String changed(String line);

    @Override
    public Batch read(Topic topic, Bookmark after, int limit) {
      Batch batch = super.read(topic, after, limit);
      List<Envelope> changed = new ArrayList<>();
      for (Envelope one : batch.envelopes()) {
        byte[] line = changed(one.toString()).getBytes(StandardCharsets.UTF_8);
        changed.add(
            new EnvelopeDecoder(Limits.DEFAULT)
                .decode(topic, line, 0, line.length, one.position()));
      }
      return new Batch(changed, batch.damage(), batch.next());
    }
  }

  /** Gives out other doorbells. */
  private static final class WithDoorbells extends ForwardingLog {
    private final UnaryOperator<Doorbell> change;

    WithDoorbells(Log log, UnaryOperator<Doorbell> change) {
      super(log);
      this.change = change;
    }

    @Override
    public Doorbell doorbell(Prefix under) {
      return change.apply(super.doorbell(under));
    }
  }

  private static final class DeafDoorbell implements Doorbell {
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    public Set<Topic> await(Duration atMost) throws InterruptedException {
      var _ = never.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
      return Set.of();
    }

    @Override
    public void close() {
      // Ends no wait.
    }
  }

  static List<Way> ways() {
    return WAYS;
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theContractFindsIt(Way way) throws Exception {
    assertThat(failure(way, way.test)).as(way.name).isNotNull();
  }

  @Test
  void everyTestOfTheContractFindsSomeLogThatMisbehaves() {
    assertThat(WAYS.stream().map(Way::test).distinct())
        .containsExactlyInAnyOrderElementsOf(tests());
  }

  static List<String> tests() {
    return Stream.of(LogContract.class.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(Method::getName)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("tests")
  void theContractFindsNothingInALogThatKeepsIt(String test) throws Exception {
    Way none = new Way("none", test, ForwardingLog::new, (first, good) -> new ForwardingLog(good));

    assertThat(failure(none, test)).isNull();
  }

  /** Why a test of the contract fails on such logs; null if it does not. */
  private static @Nullable Throwable failure(Way way, String test) throws Exception {
    LogContract contract =
        new LogContract() {
          private final ServerLog.Server server = new ServerLog.Server();
          private @Nullable Log first;

          @Override
          protected Log open() {
            Log log = way.log.apply((first == null ? server : new ServerLog.Server()).open());
            first = first == null ? log : first;
            return log;
          }

          @Override
          protected Log another() {
            return way.another.apply(Objects.requireNonNull(first), server.open());
          }

          @Override
          protected Log losingAnAnswer() {
            ServerLog losing = new ServerLog.Server().open();
            losing.loseNextAnswer();
            return way.log.apply(losing);
          }

          @Override
          protected boolean storeLastAgain(Log log, Topic topic) {
            server.repeatLast(topic);
            return true;
          }

          @Override
          protected Duration skew() {
            return ServerLog.AHEAD.plusSeconds(10);
          }

          @Override
          protected Duration patience() {
            return way.name.equals("none") ? super.patience() : Duration.ofMillis(500);
          }
        };
    Method method = LogContract.class.getDeclaredMethod(test);
    method.setAccessible(true);
    contract.openLog();
    try {
      method.invoke(contract);
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause();
    } finally {
      contract.closeLog();
    }
  }
}
