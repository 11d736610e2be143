package dev.tidemark.bench.changes;

import dev.tidemark.bench.measure.Scratch;
import dev.tidemark.bench.records.User;
import dev.tidemark.bench.records.User_;
import dev.tidemark.bench.records.Users;
import dev.tidemark.changes.ChangeBatch;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.StartAt;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.schema.ChangeStreamSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Users in a store with a change stream of some partitions, and the ways to read its log: a reader,
 * and a scan of the same rows past everything.
 */
final class LoggedUsers implements AutoCloseable {
  static final int PARTITIONS = 4;

  private static final String STREAM = "all";
  private static final int STREAMS = 12;
  private static final int LOG = 4;
  private static final int LOAD_USERS = 1_000;
  private static final int SCAN_PORTION = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path directory;
  private EmbeddedDatabase database;
  private RecordSpace space;
  private RecordStore<User> store;
  private final AtomicLong runs = new AtomicLong();

  /** An empty store below {@code scratch}, whose partitions divide {@code users} evenly. */
  LoggedUsers(Scratch scratch, Users users) {
    directory = scratch.path("log");
    database = EmbeddedDatabase.open(directory);
    space = space(database);
    store = space.store(User_.TYPE);
    ChangeLog log = space.changes().log(STREAM);
    for (int i = 1; i < PARTITIONS; i++) {
      ChangePartition last =
          log.partitions().stream()
              .filter(each -> each.ended().isEmpty() && each.end().isEmpty())
              .findFirst()
              .orElseThrow();
      long cut = (long) users.size() * i / PARTITIONS;
      log.split(last.token(), User_.TYPE.name(), Tuple.of(cut));
    }
  }

  private static RecordSpace space(EmbeddedDatabase database) {
    return RecordSpace.open(
        database, User_.SCHEMA.withStreams(ChangeStreamSpec.of(STREAM)), Subspace.of("log"));
  }

  /** Opens the store anew, so that nobody finds in memory what another has read before. */
  void reopen() {
    database.close();
    database = EmbeddedDatabase.open(directory);
    space = space(database);
    store = space.store(User_.TYPE);
  }

  EmbeddedDatabase database() {
    return database;
  }

  RecordStore<User> store() {
    return store;
  }

  RecordChangeSource source() {
    return RecordChangeSource.of(space, STREAM);
  }

  MetadataStore metadata() {
    return MetadataStore.in(database, Subspace.of("readers"));
  }

  ReaderOptions options() {
    return ReaderOptions.forRun("run-" + runs.incrementAndGet());
  }

  /** Inserts all users, a change each. */
  void load(Users users) {
    for (int from = 0; from < users.size(); from += LOAD_USERS) {
      List<User> some = users.initial(from, LOAD_USERS);
      database.run(tx -> some.forEach(user -> store.save(tx, user)));
    }
  }

  /** Changes a second that a new run reads, decodes and acknowledges, from its start on. */
  double read(int changes) throws InterruptedException {
    CountDownLatch all = new CountDownLatch(1);
    AtomicLong count = new AtomicLong();
    AtomicLong ages = new AtomicLong();
    ReaderOptions options = options().withStart(StartAt.beginning());
    try (ChangeReader reader = ChangeReader.of(source(), metadata(), options)) {
      long begin = System.nanoTime();
      reader.startBatches(
          batch -> {
            ages.addAndGet(ages(batch));
            if (count.addAndGet(batch.deliveries().size()) >= changes) {
              all.countDown();
            }
          });
      while (!all.await(1, TimeUnit.SECONDS)) {
        if (reader.endReason().isPresent() || System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new IllegalStateException(
              "%,d of %,d changes were read: %s"
                  .formatted(count.get(), changes, reader.endReason()));
        }
      }
      double rate = changes * 1e9 / (System.nanoTime() - begin);
      reader.stop(PATIENCE);
      return rate;
    }
  }

  private static long ages(ChangeBatch batch) {
    long sum = 0;
    for (DataChange change : batch.changes()) {
      sum += RecordChangeSource.newRecord(change, User_.TYPE).orElseThrow().age();
    }
    return sum;
  }

  /** Rows a second of the same log, by as many threads as there are partitions to read. */
  double scan(int changes) throws Exception {
    List<KeyRange> logs = logs();
    AtomicLong rows = new AtomicLong();
    long begin = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (KeyRange log : logs) {
      threads.add(Thread.startVirtualThread(() -> rows.addAndGet(rows(log))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long nanos = System.nanoTime() - begin;
    if (rows.get() < changes) {
      throw new IllegalStateException("The log has %,d rows only".formatted(rows.get()));
    }
    return rows.get() * 1e9 / nanos;
  }

  /** The logs of the partitions as docs/formats/changes.md tells. */
  private List<KeyRange> logs() {
    Subspace streams = Subspace.of("log").sub(STREAMS);
    KeyValue first = database.read(tx -> tx.scan(streams.prefixRange()).limit(1).list()).getFirst();
    Subspace log = streams.sub(streams.unpack(first.key()).getInt(0)).sub(LOG);
    List<KeyRange> ranges = new ArrayList<>();
    // Each split gives two new numbers.
    for (int partition = 1; partition < 2 * PARTITIONS; partition++) {
      ranges.add(log.sub(partition).prefixRange());
    }
    return ranges;
  }

  private long rows(KeyRange log) {
    long rows = 0;
    Key from = log.begin();
    while (true) {
      KeyRange rest = KeyRange.of(from, log.end());
      List<KeyValue> portion = database.read(tx -> tx.scan(rest).limit(SCAN_PORTION).list());
      if (portion.isEmpty()) {
        return rows;
      }
      rows += portion.size();
      from = portion.getLast().key().next();
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
