package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scans that come over a socket in parts, beside a sorted map. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RemoteScansTest {
  private static final int KEYS = 20_000;
  private static final int ROUNDS = 150;

  private final TreeMap<Key, byte[]> model = new TreeMap<>();

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 100000", "3, 33554432", "4, 33554432"})
  void scansReadWhatASortedMapHas(long seed, long rowCacheBytes) {
    SplittableRandom random = new SplittableRandom(seed);
    try (EmbeddedDatabase served = EmbeddedDatabase.inMemory();
        DatabaseServer server = DatabaseServer.open(served, o -> o.withPort(0));
        RemoteDatabase remote =
            RemoteDatabase.connect(server.uri(), o -> o.withRowCacheBytes(rowCacheBytes))) {
      for (int i = 0; i < 20; i++) {
        write(remote, random, KEYS / 40);
      }
      for (int i = 0; i < ROUNDS; i++) {
        write(random.nextBoolean() ? remote : served, random, 1 + random.nextInt(5));
        int round = i;
        remote.run(
            tx -> {
              ReadTransaction reads = random.nextBoolean() ? tx : tx.snapshot();
              List<Reading> readings = new ArrayList<>();
              for (int scan = random.nextInt(3); scan >= 0; scan--) {
                readings.add(new Reading(reads, random));
              }
              while (!readings.isEmpty()) {
                Reading next = readings.get(random.nextInt(readings.size()));
                if (!next.goOn(random, "seed %d, round %d".formatted(seed, round))) {
                  readings.remove(next);
                }
              }
            });
      }
    }
  }

  @Test
  void rowsThatHaveNotChangedDoNotTravelAgain() {
    SplittableRandom random = new SplittableRandom(5);
    try (EmbeddedDatabase served = EmbeddedDatabase.inMemory();
        DatabaseServer server = DatabaseServer.open(served, o -> o.withPort(0));
        RemoteDatabase remote = RemoteDatabase.connect(server.uri())) {
      for (int i = 0; i < 20; i++) {
        write(served, random, KEYS / 40);
      }
      KeyRange all = KeyRange.of(Key.utf8("k"), Key.utf8("l"));
      List<KeyValue> first = rows(remote, all);
      long before = server.statistics().bytesSent();
      List<KeyValue> second = rows(remote, all);
      long sent = server.statistics().bytesSent() - before;
      assertThat(second).isEqualTo(first).hasSize(model.size());
      assertThat(sent).isLessThan(1_000);

      // What a reader got is its own.
      second.forEach(row -> Arrays.fill(row.value(), (byte) 7));
      assertThat(rows(remote, all)).isEqualTo(first);
    }
  }

  /**
   * The older store has been scanned at a version before the one as of which the client knows its
   * rows, has not changed there since, and is read at a later one: it would confirm them.
   */
  @Test
  void rowsOfOneStoreAreNotTakenForThoseOfTheNextAtTheSameAddress() {
    SplittableRandom random = new SplittableRandom(6);
    ManualTime time = ManualTime.standing();
    KeyRange all = KeyRange.of(Key.utf8("k"), Key.utf8("l"));
    try (EmbeddedDatabase older = EmbeddedDatabase.inMemory(o -> o.withTime(time));
        EmbeddedDatabase served = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      write(older, random, KEYS / 4);
      List<KeyValue> rowsOfOlder = rows(older, all);
      long scanned = version(older);
      write(served, random, KEYS / 4);
      time.advance(Duration.ofMillis(1));
      served.run(tx -> tx.set(Key.utf8("other"), new byte[] {1}));
      DatabaseServer server = DatabaseServer.open(served, o -> o.withPort(0));
      try (RemoteDatabase remote = RemoteDatabase.connect(server.uri())) {
        assertThat(rows(remote, all)).isEqualTo(rows(served, all)).isNotEqualTo(rowsOfOlder);
        long known = version(remote);
        time.advance(Duration.ofMillis(1));
        older.run(tx -> tx.set(Key.utf8("other"), new byte[] {1}));
        assertThat(known).isBetween(scanned + 1, version(older) - 1);
        int port = server.port();
        server.close();
        try (DatabaseServer next = DatabaseServer.open(older, o -> o.withPort(port))) {
          assertThat(rows(remote, all)).isEqualTo(rowsOfOlder);
          assertThat(version(remote)).isEqualTo(version(older));
          assertThat(next.statistics().clientsSeen()).isPositive();
        }
      } finally {
        server.close();
      }
    }
  }

  @Test
  void scanSeesOneVersionWhileOthersWrite() throws Exception {
    int accounts = 3_000;
    int transfers = 400;
    KeyRange all = KeyRange.of(Key.utf8("a"), Key.utf8("b"));
    try (EmbeddedDatabase served = EmbeddedDatabase.inMemory();
        DatabaseServer server = DatabaseServer.open(served, o -> o.withPort(0));
        RemoteDatabase remote = RemoteDatabase.connect(server.uri())) {
      served.run(
          tx -> {
            for (int i = 0; i < accounts; i++) {
              tx.set(account(i), new byte[] {50, 0, 0, 0, 0, 0, 0, 0});
            }
          });
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    SplittableRandom random = new SplittableRandom(7);
                    for (int i = 0; i < transfers; i++) {
                      Key from = account(random.nextInt(accounts));
                      Key to = account(random.nextInt(accounts));
                      served.run(
                          tx -> {
                            add(tx, from, -1);
                            add(tx, to, 1);
                          });
                    }
                  });
      while (writer.isAlive()) {
        assertThat(sum(remote, all)).isEqualTo(50L * accounts);
      }
      writer.join();
      assertThat(sum(remote, all)).isEqualTo(50L * accounts);
    }
  }

  private static List<KeyValue> rows(Database database, KeyRange range) {
    return database.read(tx -> tx.scan(range).list());
  }

  private static long version(Database database) {
    return database.read(ReadTransaction::readVersion);
  }

  private static Key account(int number) {
    return Key.utf8("a%05d".formatted(number));
  }

  private static void add(Transaction tx, Key key, int amount) {
    byte[] value = tx.get(key).orElseThrow();
    value[0] += (byte) amount;
    tx.set(key, value);
  }

  private static long sum(RemoteDatabase remote, KeyRange all) {
    return remote.read(
        tx -> {
          long sum = 0;
          for (KeyValue row : tx.scan(all)) {
            sum += row.value()[0];
          }
          return sum;
        });
  }

  private void write(Database database, SplittableRandom random, int count) {
    TreeMap<Key, byte[]> written = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(10) == 0 ? random.nextInt(5_000) : random.nextInt(60)];
      random.nextBytes(value);
      written.put(key(random), value);
    }
    Key begin = key(random);
    KeyRange cleared = KeyRange.of(begin, begin.append(new byte[] {0}));
    database.run(
        (Transaction tx) -> {
          tx.clear(cleared);
          written.forEach(tx::set);
        });
    model.subMap(cleared.begin(), cleared.end()).clear();
    model.putAll(written);
  }

  private static Key key(SplittableRandom random) {
    return Key.utf8("k%05d".formatted(random.nextInt(KEYS)));
  }

  /** A scan under way, and the rows that it must bring. */
  private final class Reading {
    private final Iterator<KeyValue> rows;
    private final Iterator<Map.Entry<Key, byte[]>> expected;
    private int left;

    Reading(ReadTransaction tx, SplittableRandom random) {
      Key a = key(random);
      Key b = key(random);
      KeyRange range = a.compareTo(b) < 0 ? KeyRange.of(a, b) : KeyRange.of(b, a);
      boolean reverse = random.nextBoolean();
      int limit = random.nextBoolean() ? 1 + random.nextInt(KEYS / 2) : Integer.MAX_VALUE;
      ScanMode[] modes = ScanMode.values();
      ScanMode mode = modes[random.nextInt(modes.length)];
      Scan scan = tx.scan(range).limit(limit).mode(mode);
      NavigableMap<Key, byte[]> part = model.subMap(range.begin(), true, range.end(), false);
      rows = (reverse ? scan.reverse() : scan).iterator();
      expected = (reverse ? part.descendingMap() : part).entrySet().iterator();
      left = limit;
    }

    /** Reads on for a while; false at the end, or where the reader has had enough. */
    boolean goOn(SplittableRandom random, String when) {
      for (int i = random.nextInt(5_000); i > 0; i--) {
        boolean more = left > 0 && expected.hasNext();
        assertThat(rows.hasNext()).as(when).isEqualTo(more);
        if (!more) {
          return false;
        }
        var row = expected.next();
        assertThat(rows.next()).as(when).isEqualTo(new KeyValue(row.getKey(), row.getValue()));
        left--;
      }
      return random.nextInt(4) > 0;
    }
  }
}
