package dev.tidemark.chaos.changes;

import dev.tidemark.chaos.loader.LoaderRound;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.kv.Database;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.remote.RemoteDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * One round: writers, splits and merges, and readers that are killed and paused. Then the writers
 * stop, the readers catch up, and every value of every record must have taken effect once, in its
 * order.
 */
final class ChangesRound implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int READERS = 3;
  private static final int PARTITIONS_MAX = 12;

  /** What a round does at least, so that a short run misses nothing. */
  private static final List<String> AT_LEAST = List.of("split", "kill", "split", "pause", "merge");

  private final Workspace workspace;
  private final Settings settings;
  private final SplittableRandom random;
  private final ChangesTally tally;
  private final ChildProcess server;
  private final String address;
  private final Database database;
  private final RecordStore<Tick> ticks;
  private final ChangeLog log;
  private final List<ChildProcess> readers = new ArrayList<>();
  private int started;

  ChangesRound(
      Workspace workspace,
      Settings settings,
      SplittableRandom random,
      ChangesTally tally,
      ChildProcess server)
      throws InterruptedException {
    this.workspace = workspace;
    this.settings = settings;
    this.random = random;
    this.tally = tally;
    this.server = server;
    this.address = LoaderRound.address(server);
    this.database = RemoteDatabase.connect(address);
    this.ticks = TickStore.open(database);
    this.log = ticks.space().changes().log(Tick.STREAM);
  }

  /** Plays it, with the writers in the server or here, and says what happened. */
  String run(boolean embedded) throws InterruptedException {
    for (int i = 0; i < READERS; i++) {
      readers.add(reader());
    }
    Optional<ChangesWriters> writers =
        embedded
            ? Optional.empty()
            : Optional.of(ChangesWriters.start(database, random.nextLong()));
    disturb();
    long commits = writers.isPresent() ? writers.get().stop() : stopServersWriters();
    long saves = awaitReaders();
    tally.written(commits, saves);
    check();
    return "%s, %,d commits, %,d changes, %d partitions"
        .formatted(
            embedded ? "embedded writers" : "served writers",
            commits,
            saves,
            log.partitions().size());
  }

  private long stopServersWriters() throws InterruptedException {
    server.say("stop");
    return server
        .await(Message.Written.class, PATIENCE)
        .orElseThrow(() -> new IllegalStateException("The writers do not end: " + server.errors()))
        .commits();
  }

  private ChildProcess reader() throws InterruptedException {
    return ChildProcess.start(
        workspace, "reader-" + ++started, ChangesReaderProcess.class, List.of(address));
  }

  private void disturb() throws InterruptedException {
    long end = System.nanoTime() + settings.longestRun().toNanos();
    for (int step = 0; step < AT_LEAST.size() || System.nanoTime() < end; step++) {
      String deed = step < AT_LEAST.size() ? AT_LEAST.get(step) : drawn();
      boolean done =
          switch (deed) {
            case "split" -> split();
            case "merge" -> merge();
            case "kill" -> kill();
            default -> pause();
          };
      if (done) {
        tally.deed(deed);
      }
      Thread.sleep(random.nextInt(300));
    }
  }

  private String drawn() {
    return List.of("split", "split", "split", "merge", "merge", "kill", "pause")
        .get(random.nextInt(7));
  }

  private boolean split() {
    List<ChangePartition> active = active();
    if (active.size() >= PARTITIONS_MAX) {
      return false;
    }
    ChangePartition one = active.get(random.nextInt(active.size()));
    return changed(
        () -> log.split(one.token(), Tick_.TYPE.name(), Tick_.key(random.nextInt(Tick.COUNT))));
  }

  private boolean merge() {
    List<ChangePartition> active = active();
    for (ChangePartition lower : active) {
      for (ChangePartition upper : active) {
        if (lower.end().isPresent() && lower.end().equals(upper.begin())) {
          return changed(() -> log.merge(lower.token(), upper.token()));
        }
      }
    }
    return false;
  }

  private List<ChangePartition> active() {
    List<ChangePartition> active =
        new ArrayList<>(log.partitions().stream().filter(ChangePartition::isActive).toList());
    Collections.shuffle(active, new Random(random.nextLong()));
    return active;
  }

  /** A key that is not within the partition is refused, which is as good as another choice. */
  private static boolean changed(Runnable change) {
    try {
      change.run();
      return true;
    } catch (ChangeLogException refused) {
      return false;
    }
  }

  /** Mostly one that reads, sometimes one that is still about to begin. */
  private boolean kill() throws InterruptedException {
    int victim = random.nextInt(READERS);
    ChildProcess reader = readers.get(victim);
    if (random.nextInt(4) > 0) {
      awaitOpened(reader);
    }
    reader.kill();
    complaints(reader);
    reader.close();
    readers.set(victim, reader());
    return true;
  }

  /** Has a reader stand still until others have its partitions, and go on. */
  private boolean pause() throws InterruptedException {
    ChildProcess reader = readers.get(random.nextInt(READERS));
    reader.signal("STOP");
    Thread.sleep(ChangesReaderProcess.LEASE.multipliedBy(2));
    reader.signal("CONT");
    return true;
  }

  private void awaitOpened(ChildProcess reader) throws InterruptedException {
    if (reader.await(Message.Opened.class, PATIENCE).isEmpty()) {
      tally.findings.broken("a reader does not start: " + reader.errors());
    }
  }

  /** Waits until the readers have come to the last value of each record; the sum of the values. */
  private long awaitReaders() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (behind() > 0 && System.nanoTime() < deadline) {
      Thread.sleep(100);
    }
    for (ChildProcess reader : readers) {
      reader.kill();
      complaints(reader);
    }
    long saves = 0;
    for (long id = 0; id < Tick.COUNT; id++) {
      saves += value(id);
    }
    return saves;
  }

  private long value(long id) {
    return database.read(tx -> ticks.load(tx, id).map(Tick::value).orElse(0L));
  }

  private long behind() {
    long behind = 0;
    for (long id = 0; id < Tick.COUNT; id++) {
      long record = id;
      behind += value(id) - database.read(tx -> ChangesEffects.last(tx, record));
    }
    return behind;
  }

  private void check() {
    for (long id = 0; id < Tick.COUNT; id++) {
      long record = id;
      Map<Long, Long> counts = database.read(tx -> ChangesEffects.counts(tx, record));
      long last = value(id);
      for (long value = 1; value <= last; value++) {
        long times = counts.getOrDefault(value, 0L);
        if (times == 0) {
          tally.missing("value %d of record %d".formatted(value, id));
        } else if (times > 1) {
          tally.duplicate("value %d of record %d, %d times".formatted(value, id, times));
        }
      }
      if (counts.size() > last) {
        tally.findings.broken("record %d has %d values, not %d".formatted(id, counts.size(), last));
      }
    }
    database.read(ChangesEffects::inversions).forEach(tally::inversion);
  }

  private void complaints(ChildProcess reader) {
    reader.complaints().forEach(tally.findings::broken);
  }

  @Override
  public void close() {
    readers.forEach(ChildProcess::close);
    database.close();
  }
}
