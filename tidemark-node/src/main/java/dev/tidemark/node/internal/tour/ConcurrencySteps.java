package dev.tidemark.node.internal.tour;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** What many threads at a time can rely on. */
final class ConcurrencySteps {
  private static final Subspace COUNTERS = Subspace.of("demo", "counters");
  private static final Subspace EVENTS = Subspace.of("demo", "events");
  private static final Subspace WATCHED = Subspace.of("demo", "watched");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final EmbeddedDatabase database;
  private final DemoSize size;

  ConcurrencySteps(EmbeddedDatabase database, DemoSize size) {
    this.database = database;
    this.size = size;
  }

  String countersDoNotConflict() throws Exception {
    Key counter = COUNTERS.pack("visits");
    long conflictsBefore = database.statistics().conflicts();
    Together.run(
        size.threads(),
        thread -> {
          for (int i = 0; i < size.commits(); i++) {
            database.run(tx -> tx.mutate(MutationType.ADD, counter, Numbers.bytes(1)));
          }
        });
    long expected = (long) size.threads() * size.commits();
    long counted = database.read(tx -> Numbers.from(tx.get(counter).orElseThrow()));
    long conflicts = database.statistics().conflicts() - conflictsBefore;
    Proof.same("the counter", expected, counted);
    Proof.same("conflicts", 0, conflicts);
    return String.format(
        Locale.ROOT,
        "%d threads added 1 to one key %,d times each: it is %,d, with 0 conflicts",
        size.threads(),
        size.commits(),
        counted);
  }

  String stampsFollowTheOrderOfCommits() throws Exception {
    Key next = EVENTS.packWithVersionstamp(Tuple.of(Versionstamp.incomplete(0)));
    Together.run(
        size.threads(),
        thread -> {
          for (int i = 0; i < size.commits(); i++) {
            byte[] event = Tuple.of(thread, i).pack();
            database.run(tx -> tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, next, event));
          }
        });
    List<KeyValue> events = database.read(tx -> tx.scan(EVENTS.range()).list());
    Proof.same("events", (long) size.threads() * size.commits(), events.size());
    long[] turn = new long[size.threads()];
    Versionstamp last = Versionstamp.of(0, 0, 0);
    for (KeyValue event : events) {
      Versionstamp stamp = EVENTS.unpack(event.key()).getVersionstamp(0);
      Proof.that(stamp.compareTo(last) > 0, "stamps ascend", last, stamp);
      last = stamp;
      Tuple origin = Tuple.unpack(event.value());
      Proof.same("next event of its thread", turn[origin.getInt(0)]++, origin.getLong(1));
    }
    return String.format(
        Locale.ROOT,
        "%,d events of %d threads got stamps in commit order: none twice, no thread's out of turn",
        events.size(),
        size.threads());
  }

  String watchWakesAWaiter() throws Exception {
    Key key = WATCHED.pack("door");
    long[] nanos = new long[Math.max(1, size.pairs() / 5)];
    SynchronousQueue<Integer> armed = new SynchronousQueue<>();
    long[] written = new long[nanos.length];
    Together.run(
        2,
        thread -> {
          for (int i = 0; i < nanos.length; i++) {
            if (thread == 0) {
              try (Watch watch = watch(key)) {
                armed.put(i);
                Proof.that(watch.await(PATIENCE), "the watch fires in time", PATIENCE);
              }
              nanos[i] = System.nanoTime();
            } else {
              Integer round = armed.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
              Proof.that(round != null, "the waiter waits");
              byte[] value = Numbers.bytes(i);
              written[i] = System.nanoTime();
              database.run(tx -> tx.set(key, value));
            }
          }
        });
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] -= written[i];
    }
    Arrays.sort(nanos);
    return String.format(
        Locale.ROOT,
        "%,d times a waiter slept until another thread changed a key; from write over sync to"
            + " wake-up %,d microseconds (median)",
        nanos.length,
        nanos[nanos.length / 2] / 1_000);
  }

  private Watch watch(Key key) {
    try (Transaction tx = database.begin()) {
      Watch watch = tx.watch(key);
      tx.commit();
      return watch;
    }
  }
}
