package dev.tidemark.embedded.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Counters that several commits of one group add to, beside sets and clears of the same keys; rows
 * in memory follow them.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class MutationsOfAGroupTest {
  private static final int KEYS = 6;
  private static final int COMMITS = 24;
  private static final int GROUPS = 150;

  private final TreeMap<Key, Byte> model = new TreeMap<>();

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 5, 8, 13})
  void groupDoesWhatItsCommitsWouldDoOneAfterTheOther(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      for (int group = 0; group < GROUPS; group++) {
        // A cleared range makes the engine forget rows that it would keep, so only some groups have
        // any.
        commitTogether(database, random, group % 3 == 0 ? 8 : 7);
        assertThat(scanned(database)).as("group %d of seed %d", group, seed).isEqualTo(model);
        assertThat(read(database)).as("gets, group %d of seed %d", group, seed).isEqualTo(model);
      }
      assertThat(database.statistics().largestGroup()).isGreaterThan(COMMITS / 2);
    }
  }

  /** Puts commits in line before the committer is woken, so that they tend to be one group. */
  private void commitTogether(EmbeddedDatabase database, SplittableRandom random, int kinds)
      throws Exception {
    CountDownLatch ended = new CountDownLatch(COMMITS);
    AtomicReference<DatabaseException> failure = new AtomicReference<>();
    Runnable start = () -> {};
    for (int i = 0; i < COMMITS; i++) {
      try (PromptTransaction tx = (PromptTransaction) database.begin()) {
        for (int step = random.nextInt(1, 4); step > 0; step--) {
          write(tx, random, kinds);
        }
        start = tx.commitLater(new Ended(ended, failure));
      }
    }
    start.run();
    ended.await();
    assertThat(failure.get()).isNull();
  }

  private void write(Transaction tx, SplittableRandom random, int kinds) {
    Key key = key(random.nextInt(KEYS));
    switch (random.nextInt(kinds)) {
      case 0 -> {
        byte value = (byte) random.nextInt(256);
        tx.set(key, new byte[] {value});
        model.put(key, value);
      }
      case 1 -> {
        tx.clear(key);
        model.remove(key);
      }
      case 7 -> {
        int first = random.nextInt(KEYS);
        KeyRange range = KeyRange.of(key(first), key(random.nextInt(first, KEYS) + 1));
        tx.clear(range);
        model.subMap(range.begin(), range.end()).clear();
      }
      default -> {
        tx.mutate(MutationType.ADD, key, new byte[] {1});
        model.merge(key, (byte) 1, (a, b) -> (byte) (a + b));
      }
    }
  }

  private static Key key(int number) {
    return Key.utf8("k" + number);
  }

  /** The same by single reads, which keep rows in memory. */
  private static Map<Key, Byte> read(EmbeddedDatabase database) {
    Map<Key, Byte> found = new LinkedHashMap<>();
    for (int i = 0; i < KEYS; i++) {
      Key key = key(i);
      database.read(tx -> tx.get(key)).ifPresent(value -> found.put(key, value[0]));
    }
    return found;
  }

  private static Map<Key, Byte> scanned(EmbeddedDatabase database) {
    Map<Key, Byte> found = new LinkedHashMap<>();
    KeyRange all = KeyRange.of(key(0), Key.utf8("l"));
    for (KeyValue row : database.read(tx -> tx.scan(all).list())) {
      found.put(row.key(), row.value()[0]);
    }
    return found;
  }

  private record Ended(CountDownLatch latch, AtomicReference<DatabaseException> failure)
      implements CommitListener {
    @Override
    public void committed(Commit.Position position) {
      latch.countDown();
    }

    @Override
    public void failed(Supplier<? extends DatabaseException> why) {
      failure.set(why.get());
      latch.countDown();
    }

    @Override
    public void allTold() {}
  }
}
