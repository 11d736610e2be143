package dev.tidemark.embedded.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.Commit;
import dev.tidemark.kv.spi.CommitListener;
import dev.tidemark.kv.spi.PromptTransaction;
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

/** Counters that several commits of one group add to, beside sets and clears of the same keys. */
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
        commitTogether(database, random);
        assertThat(stored(database)).as("group %d of seed %d", group, seed).isEqualTo(model);
      }
      assertThat(database.statistics().largestGroup()).isGreaterThan(COMMITS / 2);
    }
  }

  /** Puts commits in line before the committer is woken, so that they tend to be one group. */
  private void commitTogether(EmbeddedDatabase database, SplittableRandom random) throws Exception {
    CountDownLatch ended = new CountDownLatch(COMMITS);
    AtomicReference<DatabaseException> failure = new AtomicReference<>();
    Runnable start = () -> {};
    for (int i = 0; i < COMMITS; i++) {
      try (PromptTransaction tx = (PromptTransaction) database.begin()) {
        for (int step = random.nextInt(1, 4); step > 0; step--) {
          write(tx, random);
        }
        start = tx.commitLater(new Ended(ended, failure));
      }
    }
    start.run();
    ended.await();
    assertThat(failure.get()).isNull();
  }

  private void write(Transaction tx, SplittableRandom random) {
    Key key = key(random.nextInt(KEYS));
    switch (random.nextInt(8)) {
      case 0 -> {
        tx.set(key, new byte[] {100});
        model.put(key, (byte) 100);
      }
      case 1 -> {
        tx.clear(key);
        model.remove(key);
      }
      case 2 -> {
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

  private static Map<Key, Byte> stored(EmbeddedDatabase database) {
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
