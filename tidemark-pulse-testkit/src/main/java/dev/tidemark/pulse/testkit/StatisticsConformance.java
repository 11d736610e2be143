package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.LostEvents;
import dev.tidemark.pulse.MapStatistics;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.SinkStatistics;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.JobFailedException;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolStatistics;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What sinks, nodes of pools and maps count, on any store. */
@SuppressWarnings("try") // a subscription works while it is open, without being named
public abstract class StatisticsConformance extends PoolConformance {
  private static final Duration LONG = Duration.ofMinutes(5);

  /** For subclasses. */
  protected StatisticsConformance() {}

  private EventStream orders() {
    return pulse().stream("orders");
  }

  private void add(int count) {
    for (int i = 0; i < count; i++) {
      orders().add("e", bytes("" + i));
    }
  }

  private static SinkOptions patient(SinkOptions options) {
    return options.withStart(Start.oldest()).withBlock(Duration.ofMillis(80)).withAckGrace(LONG);
  }

  private static List<Event> take(Sink sink, int count) {
    List<Event> events = new ArrayList<>();
    eventually(
        () -> "%d events come; so far %s".formatted(count, events),
        () -> {
          events.addAll(sink.read());
          return events.size() >= count;
        });
    return events;
  }

  @Test
  void sinkCountsWhatTheProgramGetsAndDoesWithIt() {
    add(3);
    try (Sink sink = orders().sink("s", StatisticsConformance::patient);
        Sink idle = another().stream("orders").sink("s", StatisticsConformance::patient)) {
      List<Event> events = take(sink, 3);
      sink.ack(events.get(0));
      sink.extend(events);
      sink.release(events.subList(1, 3));
      sink.ackAll(take(sink, 2));

      SinkStatistics counted = sink.statistics();
      assertThat(counted.delivered()).isEqualTo(5);
      assertThat(counted.redelivered()).isZero();
      assertThat(counted.acknowledged()).isEqualTo(3);
      assertThat(counted.acknowledgementsFailed()).isZero();
      assertThat(counted.extended()).isEqualTo(2);
      assertThat(counted.released()).isEqualTo(2);
      assertThat(counted.fetchFailures()).isZero();
      assertThat(counted.waiting()).isZero();
      assertThat(idle.statistics())
          .isEqualTo(new SinkStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
      sink.close();
      assertThat(sink.statistics().delivered()).isEqualTo(5);
    }
  }

  @Test
  void sinkCountsFailuresOfItsHandlerAndWhatComesAgain() {
    List<Event> failed = new CopyOnWriteArrayList<>();
    List<Event> done = new CopyOnWriteArrayList<>();
    add(2);
    try (Sink sink = orders().sink("s", o -> patient(o).withAckGrace(Duration.ofMillis(300)));
        Subscription handling =
            sink.subscribe(
                event -> {
                  if (event.deliveries() == 1) {
                    failed.add(event);
                    throw new IllegalStateException("the first time it fails");
                  }
                  done.add(event);
                })) {
      eventually(
          () -> "both are done: " + done + ", counted " + sink.statistics(),
          () -> done.size() >= 2 && sink.statistics().acknowledged() == done.size());

      SinkStatistics counted = sink.statistics();
      assertThat(counted.handlerFailures()).isEqualTo(failed.size());
      assertThat(counted.delivered()).isEqualTo(failed.size() + done.size());
      assertThat(counted.redelivered()).isEqualTo(done.size());
    }
  }

  @Test
  void sinkKnowsWhatItsHandlersAreAtAndWhatWaits() {
    CountDownLatch gate = new CountDownLatch(1);
    add(3);
    try (Sink sink = orders().sink("s", StatisticsConformance::patient);
        Subscription handling = sink.subscribe((Event event) -> await(gate))) {
      eventually(
          () -> "one is handled and two wait: " + sink.statistics(),
          () -> sink.statistics().running() == 1 && sink.statistics().waiting() == 2);
      assertThat(sink.statistics().delivered()).isEqualTo(1);
      assertThat(sink.statistics().acknowledged()).isZero();

      gate.countDown();

      eventually(
          () -> "all are acknowledged: " + sink.statistics(),
          () -> sink.statistics().acknowledged() == 3 && sink.statistics().running() == 0);
      assertThat(sink.statistics().waiting()).isZero();
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException interrupt) {
      throw new IllegalStateException(interrupt);
    }
  }

  @Test
  void sinkWithoutAcknowledgementsCountsNone() {
    add(1);
    try (Sink sink = orders().sink("s", o -> patient(o).withNoAck(true))) {
      sink.ackAll(take(sink, 1));

      assertThat(sink.statistics().delivered()).isEqualTo(1);
      assertThat(sink.statistics().acknowledged()).isZero();
    }
  }

  @Test
  void sinkCountsItsLossesBesideTheListener() {
    List<LostEvents> heard = new CopyOnWriteArrayList<>();
    EventStream small = pulse().stream("small", o -> o.withLengthMax(10));
    try (Sink sink = small.sink("s", o -> patient(o).withLossListener(heard::add))) {
      for (int i = 0; i < 1_000; i++) {
        small.add("e", bytes("" + i));
      }
      take(sink, 1);

      assertThat(heard).isNotEmpty();
      assertThat(sink.statistics().losses()).isEqualTo(heard.size());
    }
  }

  @Test
  void nodeCountsRunsOfJobsThatEnd() {
    CountDownLatch never = new CountDownLatch(1);
    PoolNode node = node();
    node.addRunner(
        job -> {
          switch (job.key()) {
            case "fails" -> throw new IllegalStateException("it cannot be done");
            case "lasts" -> never.await();
            default -> {}
          }
        },
        3);
    RetryPolicy twice = RetryPolicy.of(2, Duration.ofMillis(10));
    node.dispatch("ends", bytes(""));
    node.dispatch("fails", bytes(""), o -> o.withRetry(twice));
    node.dispatch("lasts", bytes(""));
    assertThatExceptionOfType(JobExistsException.class)
        .isThrownBy(() -> node.dispatch("lasts", bytes("")));

    eventuallyCounts(node, new PoolStatistics(1, 1, 0, 4, 1, 2, 0, 3, 1, 0));
    assertThat(node.stop("lasts")).isTrue();
    eventuallyCounts(node, new PoolStatistics(1, 0, 0, 4, 1, 2, 1, 3, 1, 0));
  }

  private static void eventuallyCounts(PoolNode node, PoolStatistics expected) {
    eventually(
        () -> "expected %s, counted %s".formatted(expected, node.statistics()),
        () -> node.statistics().equals(expected));
  }

  @Test
  void nodeCountsJobsThatLast() {
    RecordingHandler handler = new RecordingHandler();
    handler.failStart("bad", true);
    PoolNode node = node();
    PoolNode idle = node();
    node.addWorker(handler);
    node.dispatch("a", bytes(""));
    node.dispatch("b", bytes(""));
    assertThatExceptionOfType(JobFailedException.class)
        .isThrownBy(() -> node.dispatch("bad", bytes("")));
    node.send("a", bytes("hello"));
    eventually("the message comes", () -> handler.messages().contains("a=hello"));

    eventuallyCounts(node, new PoolStatistics(1, 2, 0, 3, 0, 1, 0, 3, 0, 0));
    assertThat(node.stop("a")).isTrue();
    eventuallyCounts(node, new PoolStatistics(1, 1, 0, 3, 0, 1, 1, 3, 0, 0));
    eventuallyCounts(idle, new PoolStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    node.shutDownPool();
    eventuallyCounts(node, new PoolStatistics(0, 0, 0, 3, 0, 1, 2, 3, 0, 0));
  }

  @Test
  void jobThatIsHandedOverIsNeitherDoneNorStopped() {
    RecordingHandler first = new RecordingHandler();
    RecordingHandler second = new RecordingHandler();
    PoolNode one = node();
    one.addWorker(first);
    one.dispatch("a", bytes(""));
    PoolNode two = node();
    one.close();
    two.addWorker(second);

    eventually("it runs there", () -> second.running().contains("a"));
    eventuallyCounts(one, new PoolStatistics(0, 0, 0, 1, 0, 0, 0, 1, 0, 0));
    eventuallyCounts(two, new PoolStatistics(1, 1, 0, 1, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void mapCountsWhatItsCopySees() {
    ReplicatedMap<String, String> elsewhere = another().map("config");
    elsewhere.set("old", "1");
    ReplicatedMap<String, String> map = pulse().map("config");
    assertThat(map.statistics()).isEqualTo(new MapStatistics(1, 1, 1));

    elsewhere.set("new", "2");
    eventually("it is set", () -> map.contains("new"));
    elsewhere.delete("old");
    eventually("it is deleted", () -> !map.contains("old"));

    eventually(() -> "three changes: " + map.statistics(), () -> map.statistics().changes() == 3);
    assertThat(map.statistics().entries()).isEqualTo(1);
    assertThat(map.statistics().loads()).isPositive();
  }
}
