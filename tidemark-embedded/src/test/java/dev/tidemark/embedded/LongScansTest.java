package dev.tidemark.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Scans of many portions, which are read ahead. */
class LongScansTest {
  private static final int ROWS = 20_000;
  private static final int BATCH = 1_000;
  private static final List<ScanMode> MODES = List.of(ScanMode.values());

  private final EmbeddedDatabase database =
      EmbeddedDatabase.inMemory(options -> options.withRowCacheBytes(0));
  private final EmbeddedDatabase cached =
      EmbeddedDatabase.inMemory(options -> options.withRowCacheBytes(3 << 20));
  private final TreeMap<Key, byte[]> model = new TreeMap<>();

  LongScansTest() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < ROWS; i += BATCH) {
      int first = i;
      for (int row = first; row < first + BATCH; row++) {
        byte[] value = new byte[random.nextInt(200)];
        random.nextBytes(value);
        model.put(key(row), value);
      }
      for (EmbeddedDatabase each : List.of(database, cached)) {
        each.run(tx -> model.tailMap(key(first)).forEach(tx::set));
      }
    }
  }

  @AfterEach
  void close() {
    database.close();
    cached.close();
  }

  @ParameterizedTest
  @SeedSource(count = 4)
  void scansThatTakeTurnsInOneTransactionEachGiveTheirRows(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 3; round++) {
      takeTurns(database, random);
      takeTurns(cached, random);
    }
  }

  private void takeTurns(EmbeddedDatabase store, SplittableRandom random) {
    try (Transaction tx = store.begin()) {
      List<Iterator<KeyValue>> scans = new ArrayList<>();
      List<Iterator<Key>> expected = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int from = random.nextInt(ROWS / 2);
        int to = from + random.nextInt(ROWS / 2);
        int limit = random.nextInt(1, ROWS);
        boolean reverse = random.nextBoolean();
        ScanMode mode = MODES.get(random.nextInt(MODES.size()));
        Scan scan =
            tx.scan(
                    KeySelector.firstGreaterOrEqual(key(from)),
                    KeySelector.firstGreaterOrEqual(key(to)))
                .limit(limit)
                .mode(mode);
        scans.add((reverse ? scan.reverse() : scan).iterator());
        var rows = model.subMap(key(from), true, key(to), false);
        expected.add(
            (reverse ? rows.descendingMap() : rows).keySet().stream().limit(limit).iterator());
      }
      takeTurns(random, scans, expected);
    }
  }

  private void takeTurns(
      SplittableRandom random, List<Iterator<KeyValue>> scans, List<Iterator<Key>> expected) {
    while (!scans.isEmpty()) {
      int turn = random.nextInt(scans.size());
      for (int i = random.nextInt(2_000); i >= 0 && scans.get(turn).hasNext(); i--) {
        KeyValue row = scans.get(turn).next();
        assertThat(row.key()).isEqualTo(expected.get(turn).next());
        assertThat(row.value()).isEqualTo(model.get(row.key()));
      }
      if (!scans.get(turn).hasNext()) {
        assertThat(expected.get(turn).hasNext()).as("rows that were not given").isFalse();
        scans.remove(turn);
        expected.remove(turn);
      }
    }
  }

  @Test
  void scanOfAnInterruptedThreadGivesItsRowsAndLeavesTheThreadInterrupted() {
    Thread.currentThread().interrupt();
    int rows = database.read(tx -> tx.scan(KeyRange.of(key(0), key(ROWS))).list().size());

    assertThat(Thread.interrupted()).isTrue();
    assertThat(rows).isEqualTo(ROWS);
  }

  @Test
  void scanThatIsLeftEarlyKeepsNothingFromClosing() {
    database.read(
        tx -> tx.scan(KeyRange.of(key(0), key(ROWS))).mode(ScanMode.WANT_ALL).iterator().next());
    database.close();
  }

  private static Key key(int row) {
    return Key.utf8("row/%05d".formatted(row));
  }
}
