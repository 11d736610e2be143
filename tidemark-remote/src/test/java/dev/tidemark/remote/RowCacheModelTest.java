package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Transactions of several ages that share the rows a client knows, each beside a copy of the sorted
 * map as it was when the transaction began.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RowCacheModelTest {
  private static final int KEYS = 2_000;
  private static final int PLACE = KEYS / 8;
  private static final int STEPS = 400;
  private static final int OPEN_MAX = 5;

  /** Nothing becomes too old while a busy machine does something else. */
  private static final Limits LIMITS = Limits.DEFAULTS.withReadWindow(Duration.ofMinutes(5));

  private final List<View> open = new ArrayList<>();
  private NavigableMap<Key, byte[]> model = new TreeMap<>();
  private int writes;

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  void everyTransactionReadsItsOwnVersion(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long rowCacheBytes = random.nextInt(4) == 0 ? 100_000 : 32 << 20;
    try (EmbeddedDatabase served = EmbeddedDatabase.inMemory(o -> o.withLimits(LIMITS));
        DatabaseServer server = DatabaseServer.open(served);
        RemoteDatabase remote =
            RemoteDatabase.connect(server.uri(), o -> o.withRowCacheBytes(rowCacheBytes))) {
      write(served, random, KEYS);
      long confirmedToOlder = 0;
      for (int step = 0; step < STEPS; step++) {
        String when = "seed %d, step %d".formatted(seed, step);
        if (random.nextInt(8) == 0) {
          write(random.nextBoolean() ? remote : served, random, 1 + random.nextInt(5));
        }
        View view = anyView(remote, random);
        long before = server.statistics().scansConfirmed();
        view.read(random, when);
        if (view.writes < writes) {
          confirmedToOlder += server.statistics().scansConfirmed() - before;
        }
      }
      open.forEach(View::close);
      boolean roomy = rowCacheBytes > 1 << 20;
      assertThat(confirmedToOlder > 0 || !roomy).as("replies without rows, seed %d", seed).isTrue();
    }
  }

  /** One that is open already, or a new one; often an older one makes way. */
  private View anyView(Database remote, SplittableRandom random) {
    if (open.size() == OPEN_MAX || (!open.isEmpty() && random.nextInt(20) == 0)) {
      open.remove(random.nextInt(open.size())).close();
    }
    if (open.isEmpty() || random.nextInt(10) == 0) {
      Transaction tx = remote.begin();
      if (random.nextInt(3) == 0) {
        tx.readVersion(); // Otherwise its first scan brings the version.
      }
      open.add(new View(tx, model, writes));
      return open.getLast();
    }
    return open.get(random.nextInt(open.size()));
  }

  /** Clears a range and writes keys; the map before it stays as it was. */
  private void write(Database database, SplittableRandom random, int count) {
    TreeMap<Key, byte[]> written = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(10) == 0 ? random.nextInt(3_000) : random.nextInt(60)];
      random.nextBytes(value);
      written.put(key(random), value);
    }
    int first = random.nextInt(KEYS);
    KeyRange cleared = KeyRange.of(key(first), key(first + random.nextInt(20)));
    database.run(
        (Transaction tx) -> {
          tx.clear(cleared);
          written.forEach(tx::set);
        });
    model = new TreeMap<>(model);
    model.subMap(cleared.begin(), cleared.end()).clear();
    model.putAll(written);
    writes++;
  }

  private static Key key(SplittableRandom random) {
    return key(random.nextInt(KEYS));
  }

  private static Key key(int number) {
    return Key.utf8("k%05d".formatted(number));
  }

  /** A transaction, what it must read, and a scan that it has begun. */
  private static final class View {
    private final Transaction tx;
    private final NavigableMap<Key, byte[]> rows;
    private final int writes;
    private Iterator<KeyValue> found = List.<KeyValue>of().iterator();
    private Iterator<Map.Entry<Key, byte[]>> expected = Map.<Key, byte[]>of().entrySet().iterator();
    private int left;

    /** A transaction that reads {@code rows}, which is what there is after {@code writes}. */
    View(Transaction tx, NavigableMap<Key, byte[]> rows, int writes) {
      this.tx = tx;
      this.rows = rows;
      this.writes = writes;
    }

    /** Goes on with the scan, or begins another one; often to its end. */
    void read(SplittableRandom random, String when) {
      if (left == 0 || !expected.hasNext() || random.nextBoolean()) {
        begin(random);
      }
      int most = random.nextInt(3) == 0 ? 1 + random.nextInt(KEYS / 2) : Integer.MAX_VALUE;
      List<KeyValue> read = new ArrayList<>();
      List<KeyValue> wanted = new ArrayList<>();
      for (int i = 0; i < most && left > 0 && expected.hasNext(); i++) {
        Map.Entry<Key, byte[]> row = expected.next();
        wanted.add(new KeyValue(row.getKey(), row.getValue()));
        left--;
      }
      while (read.size() < wanted.size() && found.hasNext()) {
        read.add(found.next());
      }
      assertThat(read).as(when).isEqualTo(wanted);
      assertThat(found.hasNext()).as(when).isEqualTo(left > 0 && expected.hasNext());
    }

    private void begin(SplittableRandom random) {
      int from = bound(random);
      int to = bound(random);
      KeyRange range = KeyRange.of(key(Math.min(from, to)), key(1 + Math.max(from, to)));
      left = random.nextInt(3) == 0 ? 1 + random.nextInt(KEYS / 2) : Integer.MAX_VALUE;
      ScanMode[] modes = ScanMode.values();
      ScanMode mode = modes[random.nextInt(modes.length)];
      Scan scan = tx.snapshot().scan(range).limit(left).mode(mode);
      NavigableMap<Key, byte[]> part = rows.subMap(range.begin(), true, range.end(), false);
      boolean reverse = random.nextInt(4) == 0;
      found = (reverse ? scan.reverse() : scan).iterator();
      expected = (reverse ? part.descendingMap() : part).entrySet().iterator();
    }

    /** Often one of a few, so that scans meet. */
    private static int bound(SplittableRandom random) {
      int bound = random.nextInt(KEYS);
      return random.nextInt(4) == 0 ? bound : bound / PLACE * PLACE;
    }

    void close() {
      tx.close();
    }
  }
}
