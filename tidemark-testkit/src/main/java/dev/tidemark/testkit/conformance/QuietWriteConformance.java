package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Watch;
import dev.tidemark.testkit.check.SerializabilityCheck;
import dev.tidemark.testkit.internal.Concurrently;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Writes that are excluded from the write conflicts. */
abstract class QuietWriteConformance extends ConflictSuite {
  private static final int KEYS = 16;

  QuietWriteConformance(DatabaseConformance engine) {
    super(engine);
  }

  private static void quietly(Transaction tx, String row) {
    tx.nextWriteWithoutConflict();
    write(tx, row);
  }

  @Test
  void noKindOfWriteConflictsWithAReaderIfItIsQuiet() {
    given("a=1");
    List<QuietWrite> kinds =
        List.of(
            tx -> write(tx, "a=2"),
            tx -> tx.clear(key("a")),
            tx -> tx.clear(KeyRange.ALL),
            tx -> tx.mutate(MutationType.ADD, key("a"), number(1)),
            tx -> tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key("a"), new byte[14]));
    for (QuietWrite kind : kinds) {
      assertNoConflict(tx -> tx.get(key("a")), tx -> kind.makeQuietly(tx));
      assertNoConflict(tx -> tx.scan(range("a", "b")).list(), tx -> kind.makeQuietly(tx));
    }
  }

  private interface QuietWrite {
    void make(Transaction tx);

    default void makeQuietly(Transaction tx) {
      tx.nextWriteWithoutConflict();
      make(tx);
    }
  }

  @Test
  void quietSetOfAVersionstampedKeyConflictsOnAClusterAlone() {
    byte[] template = new byte[3 + 10 + 4];
    template[0] = 'l';
    template[13] = 3;
    QuietWrite append =
        tx -> tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Key.of(template), bytes("x"));
    assertConflict(tx -> tx.scan(range("l", "m")).list(), append::make);
    if (engine.actsLikeACluster()) {
      assertConflict(tx -> tx.scan(range("l", "m")).list(), append::makeQuietly);
    } else {
      assertNoConflict(tx -> tx.scan(range("l", "m")).list(), append::makeQuietly);
    }
    assertThat(storedRows(range("l", "m"))).hasSize(2);
  }

  @Test
  void quietWritesAreMadeLikeAllOthers() {
    given("b=1 c=1 d=1");
    db.run(
        tx -> {
          quietly(tx, "a=2");
          tx.nextWriteWithoutConflict();
          tx.clear(range("c", "e"));
          assertThat(rows(tx.scan(range("a", "z")))).isEqualTo("a=2 b=1");
        });
    assertThat(stored()).isEqualTo("a=2 b=1");
  }

  @Test
  void onlyTheNextWriteIsQuiet() {
    assertConflict(
        tx -> tx.get(key("b")),
        tx -> {
          quietly(tx, "a=1");
          write(tx, "b=1");
        });
    assertConflict(
        tx -> tx.get(key("b")),
        tx -> {
          tx.nextWriteWithoutConflict();
          tx.clear(range("a", "a"));
          write(tx, "b=1");
        });
  }

  @Test
  void explicitWriteConflictCountsAndDoesNotUseTheCallUp() {
    assertConflict(
        tx -> tx.get(key("a")),
        tx -> {
          quietly(tx, "a=1");
          tx.addWriteConflict(key("a"));
        });
    assertNoConflict(
        tx -> tx.get(key("a")),
        tx -> {
          tx.nextWriteWithoutConflict();
          tx.addWriteConflict(key("b"));
          write(tx, "a=1");
        });
  }

  @Test
  void quietClearKeepsTheConflictsOfWhatItRemoves() {
    assertConflict(
        tx -> tx.get(key("b")),
        tx -> {
          write(tx, "b=1");
          tx.nextWriteWithoutConflict();
          tx.clear(range("a", "c"));
        });
    assertNoConflict(
        tx -> tx.get(key("bb")),
        tx -> {
          write(tx, "b=1");
          tx.nextWriteWithoutConflict();
          tx.clear(range("a", "c"));
        });
  }

  @Test
  void quietWriterConflictsLikeAnyOther() {
    assertConflict(
        tx -> {
          tx.get(key("a"));
          quietly(tx, "b=1");
        },
        tx -> write(tx, "a=1"));
  }

  @Test
  void quietWriteWakesWatches() {
    given("a=1");
    try (Transaction tx = db.begin();
        Watch watch = tx.watch(key("a"))) {
      tx.commit();
      db.run(other -> quietly(other, "a=2"));
      assertThat(watch.await(PATIENCE)).isTrue();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 12)
  void exactlyWhatIsAlsoWrittenAloudConflicts(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Transaction> readers = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      Transaction reader = db.begin();
      reader.get(numbered(i));
      reader.set(key("reader" + i), bytes("x"));
      readers.add(reader);
    }
    Set<Integer> aloud = new HashSet<>();
    commit(tx -> writeAtRandom(tx, random, aloud));
    for (int i = 0; i < KEYS; i++) {
      assertThat(commits(readers.get(i)))
          .as("seed %d: reader of %d commits; written aloud are %s", seed, i, aloud)
          .isEqualTo(!aloud.contains(i));
    }
  }

  private static Key numbered(int i) {
    return key("k%02d".formatted(i));
  }

  /** Writes single keys and ranges, some quietly; the others are added to {@code aloud}. */
  private static void writeAtRandom(Transaction tx, SplittableRandom random, Set<Integer> aloud) {
    for (int n = random.nextInt(1, 12); n > 0; n--) {
      int begin = random.nextInt(KEYS);
      int end = random.nextBoolean() ? begin + 1 : random.nextInt(begin, KEYS + 1);
      if (random.nextInt(3) > 0) {
        tx.nextWriteWithoutConflict();
      } else {
        for (int i = begin; i < end; i++) {
          aloud.add(i);
        }
      }
      switch (end == begin + 1 ? random.nextInt(4) : 0) {
        case 0 -> tx.clear(KeyRange.of(numbered(begin), numbered(end)));
        case 1 -> tx.clear(numbered(begin));
        case 2 -> tx.set(numbered(begin), bytes("v"));
        default -> tx.mutate(MutationType.ADD, numbered(begin), number(1));
      }
    }
  }

  private static boolean commits(Transaction reader) {
    try (reader) {
      reader.commit();
      return true;
    } catch (ConflictException conflict) {
      return false;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  void concurrentQuietWritesTakeEffectInTheOrderOfTheirStamps(long seed) throws Exception {
    SerializabilityCheck.concurrentQuietWrites(seed, db, 6, 80);
  }

  @Test
  void quietIncrementsAreNeverLost() throws Exception {
    Concurrently.Task task =
        () -> {
          for (int i = 0; i < 100; i++) {
            boolean quiet = i % 2 == 0;
            db.run(
                tx -> {
                  if (quiet) {
                    tx.nextWriteWithoutConflict();
                  }
                  tx.mutate(MutationType.ADD, key("n"), number(1));
                });
          }
        };
    Concurrently.run(task, task, task, task);
    assertThat(value(key("n"))).hasValue(number(400));
  }
}
