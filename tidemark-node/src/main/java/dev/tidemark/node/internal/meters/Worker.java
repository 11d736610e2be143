package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.records.RecordStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Checks readings and saves them. The record, the alert, the job that sends a notice and the
 * acknowledgement of the event are one commit, so that a worker can be killed at any moment.
 */
final class Worker implements AutoCloseable {
  static final String STREAM = "readings";
  static final String SETTINGS = "settings";
  static final String THRESHOLD = "alert.threshold";
  static final long THRESHOLD_AT_FIRST = 1_800;
  static final long THRESHOLD_LOW = 1_600;

  private static final Duration GRACE = Duration.ofSeconds(3);
  private static final int BATCH = 1_000;

  private final Database database;
  private final Pulse pulse;
  private final GridStore grid;
  private final EventStream rejected;
  private final ReplicatedMap<String, String> settings;
  private final PoolNode notices;
  private final Sink sink;
  private final Thread thread;
  private volatile boolean stopped;

  /** Begins to work. */
  Worker(Database database) {
    this.database = database;
    this.pulse = Pulse.on(database);
    this.grid = GridStore.open(database);
    this.rejected = pulse.stream("rejected", o -> o.keepingAll());
    this.settings = pulse.map(SETTINGS);
    this.notices = pulse.pool("notices", o -> o.withWorkerTtl(GRACE));
    notices.addTransactionalRunner((tx, job) -> notice(tx, job.payload()), 4);
    this.sink =
        stream(pulse)
            .sink(
                "validation",
                o -> o.withStart(Start.oldest()).withAckGrace(GRACE).withBatchMax(BATCH));
    this.thread = Rounds.start(database, "meter-worker", () -> stopped, this::work);
  }

  /** The stream of readings, which keeps all of them. */
  static EventStream stream(Pulse pulse) {
    return pulse.stream(STREAM, o -> o.keepingAll());
  }

  private void work() {
    List<Event> events = sink.read();
    if (!events.isEmpty()) {
      handle(events);
    }
  }

  /** Events that another worker has got meanwhile are its own; this one leaves them out. */
  private void handle(List<Event> events) {
    try {
      database.run(tx -> handle(tx, events));
    } catch (DatabaseException failed) {
      // The events come again after the grace.
      if (!stopped) {
        System.getLogger(Worker.class.getName())
            .log(System.Logger.Level.WARNING, "A batch of readings is tried again", failed);
      }
    }
  }

  private void handle(Transaction tx, List<Event> events) {
    int again = 0;
    int broken = 0;
    for (Event event : sink.ackAll(tx, events)) {
      Optional<Message> message = Message.parse(event.payload());
      if (message.isEmpty()) {
        rejected.add(tx, event.name(), "", event.payload());
        broken++;
      } else if (!save(tx, message.get())) {
        again++;
      }
    }
    Tally.SEEN_AGAIN.add(tx, again);
    Tally.REJECTED.add(tx, broken);
  }

  /** Whether the reading is new. */
  private boolean save(Transaction tx, Message message) {
    RecordStore<Reading> readings = grid.reading();
    if (readings.exists(tx, message.meter(), message.timestamp())) {
      return false;
    }
    String area = LoadCurve.area(message.meter());
    readings.insert(tx, new Reading(message.meter(), message.timestamp(), area, message.power()));
    long threshold = threshold(settings);
    if (message.power() > threshold) {
      grid.alert()
          .insert(
              tx,
              new Alert(message.meter(), message.timestamp(), message.power(), threshold, false));
      notices.dispatch(
          tx, "alert:%d:%d".formatted(message.meter(), message.timestamp()), message.toBytes());
    }
    return true;
  }

  /**
   * A read of a local copy: it costs nothing, and follows changes within milliseconds. Anybody may
   * set the entry, so what is no number of watts counts as the first threshold.
   */
  static long threshold(ReplicatedMap<String, String> settings) {
    return settings
        .get(THRESHOLD)
        .filter(text -> text.matches("\\d{1,9}"))
        .map(Long::parseLong)
        .orElse(THRESHOLD_AT_FIRST);
  }

  private void notice(Transaction tx, byte[] payload) {
    Message message = Message.parse(payload).orElseThrow();
    Optional<Alert> alert = grid.alert().load(tx, message.meter(), message.timestamp());
    alert.ifPresent(found -> grid.alert().update(tx, found.asNoticed()));
  }

  @Override
  public void close() {
    stopped = true;
    sink.close();
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    notices.close();
    settings.close();
    pulse.close();
  }
}
