package dev.tidemark.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.BufferedTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads beside rows that were cleared: as right as any, and about as fast. */
class DrainedRowsTest {
  private static final int ROWS = 100_000;
  private static final int TRIES = 20;

  /** Without gaps the fastest of all tries took 50 ms on an idle machine. */
  private static final long NANOS_MAX = 10_000_000;

  private static final int MODEL_KEYS = 3_000;

  enum Clearing {
    ONE_RANGE,
    RANGES,
    KEYS
  }

  @ParameterizedTest
  @EnumSource
  void theRowsBesideManyClearedOnesAreFoundSoon(Clearing how) {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory(o -> o.withRowCacheBytes(0))) {
      for (int i = 0; i < ROWS; i += 1_000) {
        int from = i;
        db.run(
            tx -> {
              for (int j = from; j < from + 1_000; j++) {
                tx.set(key(j), new byte[20]);
              }
            });
      }
      clear(db, how);
      long backward = Long.MAX_VALUE;
      long forward = Long.MAX_VALUE;
      for (int i = 0; i < TRIES; i++) {
        // What was cleared is not forgotten when something is added and taken away.
        db.run(tx -> tx.set(key(ROWS / 2), new byte[1]));
        db.run(tx -> tx.clear(key(ROWS / 2)));
        long begin = System.nanoTime();
        assertThat(first(db, 0, ROWS - 1, true)).isEqualTo(key(0));
        long middle = System.nanoTime();
        assertThat(first(db, 1, ROWS, false)).isEqualTo(key(ROWS - 1));
        forward = Math.min(forward, System.nanoTime() - middle);
        backward = Math.min(backward, middle - begin);
      }
      assertThat(backward).isLessThan(NANOS_MAX);
      assertThat(forward).isLessThan(NANOS_MAX);
    }
  }

  private static void clear(EmbeddedDatabase db, Clearing how) {
    int step =
        switch (how) {
          case ONE_RANGE -> ROWS;
          case RANGES -> 40;
          case KEYS -> 100;
        };
    for (int i = 1; i < ROWS - 1; i += step) {
      int from = i;
      int to = Math.min(i + step, ROWS - 1);
      db.run(
          tx -> {
            if (how == Clearing.KEYS) {
              for (int j = from; j < to; j++) {
                tx.clear(key(j));
              }
            } else {
              tx.clear(KeyRange.of(key(from), key(to)));
            }
          });
    }
  }

  private static Key first(EmbeddedDatabase db, int from, int to, boolean reverse) {
    return db.read(tx -> scan(tx, from, to, reverse, 1)).getFirst();
  }

  private static List<Key> scan(ReadTransaction tx, int from, int to, boolean reverse, int limit) {
    var scan = tx.scan(KeyRange.of(key(from), key(to))).limit(limit);
    return (reverse ? scan.reverse() : scan).list().stream().map(KeyValue::key).toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void readersOfAllVersionsSeeWhatAModelHas(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeSet<Integer> model = new TreeSet<>();
    List<Transaction> readers = new ArrayList<>();
    List<TreeSet<Integer>> states = new ArrayList<>();
    try (EmbeddedDatabase db =
        EmbeddedDatabase.inMemory(
            o ->
                o.withRowCacheBytes(seed % 2 == 0 ? 0 : 1 << 20)
                    .withLimits(Limits.DEFAULTS.withReadWindow(Duration.ofMinutes(10))))) {
      for (int step = 0; step < 400; step++) {
        change(db, random, model);
        if (random.nextInt(10) == 0) {
          Transaction reader = db.begin();
          reader.readVersion();
          readers.add(reader);
          states.add(new TreeSet<>(model));
        }
        try (Transaction now = db.begin()) {
          compare(now, random, model);
        }
        if (!readers.isEmpty()) {
          int which = random.nextInt(readers.size());
          compare(readers.get(which), random, states.get(which));
          compareUnchanged(db, random, readers.get(which).readVersion(), states.get(which), model);
        }
      }
      readers.forEach(Transaction::close);
    }
  }

  private static void change(
      EmbeddedDatabase db, SplittableRandom random, NavigableSet<Integer> model) {
    int from = random.nextInt(MODEL_KEYS);
    int to = from + 1 + random.nextInt(random.nextBoolean() ? 20 : 1_500);
    int kind = random.nextInt(6);
    db.run(
        tx -> {
          switch (kind) {
            case 0, 1 -> tx.clear(KeyRange.of(key(from), key(to)));
            case 2 -> {
              for (int i = from; i < to; i++) {
                tx.clear(key(i));
              }
            }
            case 3 -> {
              tx.clear(KeyRange.of(key(from), key(to)));
              tx.set(key((from + to) / 2), new byte[1]);
            }
            case 4 -> tx.set(key(from), new byte[1]);
            default -> {
              for (int i = from; i < to; i++) {
                tx.set(key(i), new byte[1]);
              }
            }
          }
        });
    if (kind <= 3) {
      model.subSet(from, true, to, false).clear();
    }
    if (kind == 3) {
      model.add((from + to) / 2);
    }
    for (int i = from; i < to && kind == 5; i++) {
      model.add(i);
    }
    if (kind == 4) {
      model.add(from);
    }
  }

  private static void compare(
      Transaction tx, SplittableRandom random, NavigableSet<Integer> model) {
    int from = random.nextInt(MODEL_KEYS);
    int to = from + 1 + random.nextInt(2 * MODEL_KEYS);
    boolean reverse = random.nextBoolean();
    int limit = random.nextBoolean() ? 1 : 1 + random.nextInt(500);
    NavigableSet<Integer> all = model.subSet(from, true, to, false);
    NavigableSet<Integer> rows = reverse ? all.descendingSet() : all;
    assertThat(scan(tx, from, to, reverse, limit))
        .as("from %d to %d, reverse %s, limit %d", from, to, reverse, limit)
        .isEqualTo(rows.stream().limit(limit).map(DrainedRowsTest::key).toList());
  }

  /** Rows that are said to be as they were in an earlier version are. */
  private static void compareUnchanged(
      EmbeddedDatabase db,
      SplittableRandom random,
      long since,
      NavigableSet<Integer> then,
      NavigableSet<Integer> now) {
    int from = random.nextInt(MODEL_KEYS);
    int to = from + 1 + random.nextInt(100);
    try (BufferedTransaction tx = (BufferedTransaction) db.begin()) {
      if (tx.isUnchanged(KeyRange.of(key(from), key(to)), since)) {
        assertThat(now.subSet(from, to))
            .as("from %d to %d, since %d", from, to, since)
            .isEqualTo(then.subSet(from, to));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsBesideClearedOnesStayInMemoryWhenSomethingIsAddedAndTakenAwayThere(boolean reverse) {
    int rows = 1_000;
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      db.run(
          tx -> {
            for (int i = 0; i < rows; i++) {
              tx.set(key(i), new byte[20]);
            }
          });
      db.run(tx -> tx.clear(KeyRange.of(key(1), key(rows - 1))));
      int from = reverse ? 0 : 1;
      Key found = key(reverse ? 0 : rows - 1);
      for (int i = 0; i < 2; i++) { // The second time it is kept.
        assertThat(first(db, from, from + rows - 1, reverse)).isEqualTo(found);
      }
      KeyRange kept = KeyRange.of(found, reverse ? key(1) : found.next());
      KeyRange all = KeyRange.of(key(from), reverse ? key(1) : found.next());
      long version = db.read(ReadTransaction::readVersion);
      assertThat(isUnchanged(db, kept, version)).isTrue();
      assertThat(isUnchanged(db, all, version)).isTrue();

      db.run(tx -> tx.set(key(rows / 2), new byte[1]));
      assertThat(isUnchanged(db, kept, version)).isTrue();
      assertThat(isUnchanged(db, KeyRange.of(key(1), key(rows - 1)), version)).isFalse();

      db.run(tx -> tx.clear(key(rows / 2)));
      assertThat(first(db, from, from + rows - 1, reverse)).isEqualTo(found);
      assertThat(isUnchanged(db, kept, version)).isTrue();
    }
  }

  private static boolean isUnchanged(EmbeddedDatabase db, KeyRange range, long since) {
    try (BufferedTransaction tx = (BufferedTransaction) db.begin()) {
      return tx.isUnchanged(range, since);
    }
  }

  @Test
  void aQueueThatIsFilledAtOneEndAndDrainedAtTheOtherKeepsItsOrder() throws Exception {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      int rows = 20_000;
      Thread producer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < rows; i += 50) {
                      int from = i;
                      db.run(
                          tx -> {
                            for (int j = from; j < from + 50; j++) {
                              tx.set(key(j), new byte[1]);
                            }
                          });
                    }
                  });
      int next = 0;
      while (next < rows) {
        int expected = next;
        next +=
            db.transact(
                tx -> {
                  List<Key> head = scan(tx, 0, rows, false, 30);
                  for (int i = 0; i < head.size(); i++) {
                    assertThat(head.get(i)).isEqualTo(key(expected + i));
                    tx.clear(head.get(i));
                  }
                  return head.size();
                });
      }
      producer.join();
    }
  }

  private static Key key(int number) {
    return Key.utf8("%08d".formatted(number));
  }
}
