package dev.tidemark.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.junit.SeedSource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Readers of old and new versions share a cache of rows while others write. */
class OldVersionsTest {
  private static final int KEYS = 24;
  private static final int READERS = 4;
  private static final int COMMITS = 3_000;

  /** What the keys had at each version that was committed. */
  private final ConcurrentSkipListMap<Long, Map<Key, Long>> history = new ConcurrentSkipListMap<>();

  @ParameterizedTest
  @SeedSource
  @Timeout(120)
  void everyReaderSeesWhatItsVersionHad(long seed) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      history.put(database.read(tx -> tx.readVersion()), Map.of());
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        SplittableRandom random = new SplittableRandom(seed + i + 1);
        readers.add(threads.submit(() -> read(database, random, done)));
      }
      try {
        write(database, new SplittableRandom(seed));
      } finally {
        done.set(true);
      }
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).as("transactions of a reader").isPositive();
      }
    }
  }

  /** A range with so many rows is cleared as a range, not row by row. */
  @Test
  void rowsThatWereReadAreGoneAfterAClearOfMany() {
    List<Key> keys =
        IntStream.range(0, 5_000).mapToObj(i -> Key.utf8("row/%04d".formatted(i))).toList();
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      database.run(tx -> keys.forEach(key -> tx.set(key, bytes(1))));
      assertThat(database.<Integer, RuntimeException>read(tx -> tx.getAll(keys).size()))
          .isEqualTo(keys.size());
      try (Transaction before = database.begin()) {
        before.readVersion();
        database.run(tx -> tx.clear(KeyRange.of(keys.get(10), keys.getLast())));

        assertThat(database.<Integer, RuntimeException>read(tx -> tx.getAll(keys).size()))
            .isEqualTo(11);
        assertThat(before.getAll(keys)).hasSize(keys.size());
      }
    }
  }

  private void write(EmbeddedDatabase database, SplittableRandom random) {
    NavigableMap<Key, Long> model = new TreeMap<>();
    for (int i = 0; i < COMMITS; i++) {
      try (Transaction tx = database.begin()) {
        for (int step = random.nextInt(1, 4); step > 0; step--) {
          change(tx, model, random);
        }
        tx.commit();
        history.put(tx.committedVersion(), Map.copyOf(model));
      }
    }
  }

  private static void change(
      Transaction tx, NavigableMap<Key, Long> model, SplittableRandom random) {
    Key key = key(random);
    switch (random.nextInt(5)) {
      case 0, 1 -> {
        long value = random.nextLong();
        tx.set(key, bytes(value));
        model.put(key, value);
      }
      case 2 -> {
        tx.mutate(MutationType.ADD, key, bytes(1));
        model.merge(key, 1L, Long::sum);
      }
      case 3 -> {
        tx.clear(key);
        model.remove(key);
      }
      default -> {
        Key other = key(random);
        Key first = key.compareTo(other) < 0 ? key : other;
        Key last = first.equals(key) ? other : key;
        tx.clear(KeyRange.of(first, last));
        model.subMap(first, last).clear();
      }
    }
  }

  private int read(EmbeddedDatabase database, SplittableRandom random, AtomicBoolean done) {
    int transactions = 0;
    while (!done.get()) {
      try (Transaction tx = database.begin()) {
        Map<Key, Long> expected = at(tx.readVersion(), done);
        if (expected == null) {
          return transactions;
        }
        for (int i = 0; i < 20; i++) {
          Key key = key(random);
          List<Key> several = List.of(key(random), key(random), key(random));
          assertThat(tx.get(key).map(OldVersionsTest::number).orElse(null))
              .isEqualTo(expected.get(key));
          Map<Key, byte[]> found = tx.getAll(several);
          for (Key one : several) {
            assertThat(found.containsKey(one) ? number(found.get(one)) : null)
                .isEqualTo(expected.get(one));
          }
          scan(tx, expected, random);
          Thread.onSpinWait();
        }
      }
      transactions++;
    }
    return transactions;
  }

  private static void scan(Transaction tx, Map<Key, Long> expected, SplittableRandom random) {
    Key from = key(random);
    Key to = key(random);
    NavigableMap<Key, Long> rows = new TreeMap<>(expected);
    rows = rows.subMap(from, true, from.compareTo(to) < 0 ? to : from, false);
    boolean reverse = random.nextBoolean();
    int limit = random.nextInt(1, KEYS);
    Scan scan = tx.scan(KeySelector.firstGreaterOrEqual(from), KeySelector.firstGreaterOrEqual(to));
    List<KeyValue> found = (reverse ? scan.reverse() : scan).limit(limit).list();
    assertThat(found.stream().map(row -> Map.entry(row.key(), number(row.value()))).toList())
        .isEqualTo(
            (reverse ? rows.descendingMap() : rows)
                .entrySet().stream()
                    .limit(limit)
                    .map(row -> Map.entry(row.getKey(), row.getValue()))
                    .toList());
  }

  /** What the writer knows of {@code version}, or null if it has failed and will not say. */
  private @Nullable Map<Key, Long> at(long version, AtomicBoolean done) {
    while (history.lastKey() < version && !done.get()) {
      Thread.onSpinWait();
    }
    if (history.lastKey() < version) {
      return null;
    }
    return history.floorEntry(version).getValue();
  }

  private static Key key(SplittableRandom random) {
    return Key.utf8("row/%02d".formatted(random.nextInt(KEYS)));
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  private static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
