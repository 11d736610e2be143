package dev.tidemark.pulse.internal.kv.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.internal.kv.rows.StoredEvent;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EventTimesTest {
  private static final int MANY = 400;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  /** Counts questions for times, and may have a clock of its own. */
  private static class Asked extends ForwardingDatabase {
    final AtomicInteger questions = new AtomicInteger();
    final AtomicInteger failures = new AtomicInteger();

    Asked(Database delegate) {
      super(delegate);
    }

    @Override
    public Instant timeOf(long version) {
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new UnavailableException(1039, "The store does not answer", null);
      }
      questions.incrementAndGet();
      return timeIn(version);
    }

    Instant timeIn(long version) {
      return super.timeOf(version);
    }
  }

  private static EventStream filled(Database database) {
    EventStream stream = Pulse.on(database).stream("s");
    IntStream.range(0, MANY).forEach(i -> stream.add("e", ("" + i).getBytes(UTF_8)));
    return stream;
  }

  private static void assertDated(Asked database, List<Event> events) {
    assertThat(events).hasSize(MANY);
    assertThat(database.questions.get()).as("questions for %d events", MANY).isLessThan(10);
    for (Event event : events) {
      Instant exact = database.timeIn(event.id().major()).truncatedTo(ChronoUnit.MILLIS);
      assertThat(event.createdAt()).isEqualTo(exact);
    }
  }

  @Test
  void batchOfASinkTakesAFewQuestionsAndItsTimesAreExact() {
    Asked database = new Asked(databases.database());
    EventStream stream = filled(database);
    try (Sink sink = stream.sink("k", o -> o.withStart(Start.oldest()).withBlock(PATIENCE))) {
      database.questions.set(0);
      assertDated(database, sink.read());
    }
  }

  @Test
  void batchOfAReaderTakesAFewQuestionsAndItsTimesAreExact() {
    Asked database = new Asked(databases.database());
    EventStream stream = filled(database);
    try (Reader reader = stream.reader(o -> o.withStart(Start.oldest()).withBlock(PATIENCE))) {
      database.questions.set(0);
      assertDated(database, reader.read());
    }
  }

  @Test
  void eventsThatCouldNotBeDatedComeWithTheNextRead() {
    Asked database = new Asked(databases.database());
    EventStream stream = filled(database);
    try (Sink sink =
        stream.sink("k", o -> o.withStart(Start.oldest()).withBlock(PATIENCE).withNoAck(true))) {
      database.failures.set(1);
      assertThatThrownBy(sink::read).isInstanceOf(UnavailableException.class);
      assertThat(sink.read()).hasSize(MANY);
    }
  }

  @Test
  void eventsThatCouldNotBeDatedGoToOthersAsIfTheyHadNeverLeft() {
    Asked database = new Asked(databases.database());
    EventStream stream = filled(database);
    try (Sink sink = stream.sink("k", EventTimesTest::onceWithinAnHour);
        Sink other = stream.sink("k", EventTimesTest::onceWithinAnHour)) {
      database.failures.set(1);
      assertThatThrownBy(sink::read).isInstanceOf(UnavailableException.class);

      assertThat(other.read())
          .hasSize(MANY)
          .allSatisfy(event -> assertThat(event.deliveries()).isOne());
    }
  }

  private static SinkOptions onceWithinAnHour(SinkOptions options) {
    return options
        .withStart(Start.oldest())
        .withBlock(PATIENCE)
        .withAckGrace(Duration.ofHours(1))
        .withDeliveriesMax(1);
  }

  private static StoredEvent at(long version) {
    return new StoredEvent(new EventId(version, 0), "e", "", new byte[0], 1);
  }

  /** A store that tells {@code micros} after 1970 as the time of a version. */
  private Asked withClock(LongUnaryOperator micros) {
    return new Asked(databases.database()) {
      @Override
      Instant timeIn(long version) {
        return Instant.EPOCH.plus(micros.applyAsLong(version), ChronoUnit.MICROS);
      }
    };
  }

  @Test
  void timesThatAreNotAskedForAreNeverTooLate() {
    long period = 1_000_000;
    // A clock that runs late and early by turns, and drifts.
    Asked database =
        withClock(
            version -> {
              long sway = Math.round(4_000 * Math.sin(2 * Math.PI * version / period));
              return Math.max(0, version + sway + version / 50_000);
            });
    List<StoredEvent> found =
        IntStream.range(0, 1_000).mapToObj(i -> at(period + i * 12_345L)).toList();

    List<Event> events = new EventTimes(database, "s").date(found);

    assertThat(database.questions.get()).isLessThan(20);
    for (Event event : events) {
      Instant exact = database.timeIn(event.id().major());
      assertThat(event.createdAt()).isBetween(exact.minusMillis(30), exact);
    }
  }

  @Test
  void timesAroundAJumpOfTheVersionsAreFound() {
    long jump = 100_000_000;
    Asked database =
        withClock(version -> version < jump ? version : Math.max(jump, version - jump));
    List<StoredEvent> found =
        IntStream.range(0, 1_000)
            .mapToObj(i -> at(i < 700 ? i * 10_000L : 2 * jump + i * 10_000L))
            .toList();

    List<Event> events = new EventTimes(database, "s").date(found);

    assertThat(events)
        .allSatisfy(
            event ->
                assertThat(event.createdAt())
                    .isEqualTo(database.timeIn(event.id().major()).truncatedTo(ChronoUnit.MILLIS)));
    assertThat(database.questions.get()).isLessThan(20);
  }
}
