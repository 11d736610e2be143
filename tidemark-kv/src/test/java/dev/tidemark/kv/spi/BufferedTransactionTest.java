package dev.tidemark.kv.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.StampTemplate;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.kv.tuple.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BufferedTransactionTest {
  private static final KeyRange ROWS = KeyRange.of(Key.utf8("r"), Key.utf8("s"));

  private final List<Commit> commits = new ArrayList<>();

  /** What becomes of a commit beside being noted. */
  private Runnable outcome = () -> {};

  /** What another thread does while a scan reads. */
  private Runnable meanwhile = () -> {};

  @Test
  void aRangeThatAnotherThreadClearsDuringAScanHasBeenReadAllTheSame() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    meanwhile = () -> tx.clear(ROWS);
    assertThat(tx.scan(ROWS).list()).hasSize(1);
    tx.commit();
    assertThat(commits.getFirst().readRanges()).containsExactly(ROWS);
  }

  @Test
  void aRangeThatTheTransactionHasClearedBeforeIsNotRead() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    tx.clear(ROWS);
    assertThat(tx.scan(ROWS).list()).isEmpty();
    tx.commit();
    assertThat(commits.getFirst().readRanges()).isEmpty();
  }

  @Test
  void aTransactionThatAWriteMadeTooLargeIsNotCommittedAnyMore() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS.withSizeLimit(1_000));
    tx.set(Key.utf8("a"), new byte[600]);
    assertThatThrownBy(() -> tx.set(Key.utf8("b"), new byte[600]))
        .isInstanceOf(LimitExceededException.class);
    tx.clear(Key.utf8("a"));
    assertThatThrownBy(tx::commit)
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("1,202 bytes");
    assertThat(commits).isEmpty();
  }

  @Test
  void manyClearsAfterManyStampedSetsAreAsQuickAsFew() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    byte[] stamped = Tuple.of(Versionstamp.incomplete(0)).packWithVersionstamp();
    KeyRange low = KeyRange.of(Key.of((byte) 0), Key.of(stamped[0], (byte) 0x80));
    assertTimeout(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 0; i < 20_000; i++) {
            tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Key.of(stamped), new byte[1]);
            tx.clear(low);
          }
          tx.commit();
        });
    List<Commit.StampedSet> sets = commits.getFirst().stampedSets();
    assertThat(sets).hasSize(20_000);
    assertThat(sets.getFirst().isCleared(Key.of(stamped[0], (byte) 0x7f))).isTrue();
    assertThat(sets.getLast().isCleared(Key.of(stamped[0], (byte) 0x7f))).isTrue();
    assertThat(sets.getFirst().isCleared(Key.of(stamped[0], (byte) 0x80))).isFalse();
  }

  @Test
  void aStampedSetIsClearedByWhatCameAfterItOnly() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    Key stamped = Key.of(new byte[14]);
    KeyRange left = KeyRange.of(Key.utf8("a"), Key.utf8("m"));
    KeyRange right = KeyRange.of(Key.utf8("k"), Key.utf8("z"));
    tx.clear(KeyRange.of(Key.utf8("0"), Key.utf8("1")));
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, stamped, new byte[1]);
    tx.clear(left);
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, stamped, new byte[1]);
    tx.clear(right);
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, stamped, new byte[1]);
    tx.commit();
    assertThat(clearedOf(0)).isEqualTo("bly");
    assertThat(clearedOf(1)).isEqualTo("ly");
    assertThat(clearedOf(2)).isEmpty();
    List<Commit.StampedSet> sets = commits.getFirst().stampedSets();
    assertThat(sets.get(0).clearedNext())
        .containsExactly(KeyRange.of(Key.utf8("a"), Key.utf8("k")));
    assertThat(sets.get(1).clearedNext()).containsExactly(right);
  }

  @Test
  void clearsOfWhatNoStampedSetMayBecomeAreNotKeptForIt() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    Key stamped = Key.of(Tuple.of(Versionstamp.incomplete(0)).packWithVersionstamp());
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, stamped, new byte[1]);
    for (int i = 0; i < 80_000; i++) {
      tx.clear(KeyRange.single(Key.of((byte) (i >> 16), (byte) (i >> 8), (byte) i)));
    }
    tx.commit();
    assertThat(commits.getFirst().clears()).hasSize(80_000);
    assertThat(commits.getFirst().stampedSets().getFirst().clearedNext()).isEmpty();
  }

  @Test
  void neighboursThatAreClearedAfterTheSameStampedSetAreKeptAsOneRange() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Key.of(new byte[14]), new byte[1]);
    for (int i = 1; i < 100; i += 2) {
      tx.clear(KeyRange.of(Key.of((byte) i), Key.of((byte) (i + 1))));
    }
    for (int i = 98; i > 0; i -= 2) {
      tx.clear(KeyRange.of(Key.of((byte) i), Key.of((byte) (i + 1))));
    }
    tx.commit();
    assertThat(commits.getFirst().stampedSets().getFirst().clearedNext())
        .containsExactly(KeyRange.of(Key.of((byte) 1), Key.of((byte) 100)));
  }

  @Test
  void onlyRangesThatAreNotWhollyClearedAfterAStampedSetAreClearedBeforeIt() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    KeyRange wide = KeyRange.of(Key.utf8("a"), Key.utf8("m"));
    tx.clear(wide);
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Key.of(new byte[14]), new byte[1]);
    tx.clear(KeyRange.of(Key.utf8("b"), Key.utf8("c")));
    tx.clear(KeyRange.of(Key.utf8("p"), Key.utf8("q")));
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Key.of(new byte[14]), new byte[1]);
    tx.clear(KeyRange.of(Key.utf8("q"), Key.utf8("r")));
    tx.commit();
    assertThat(commits.getFirst().clears()).hasSize(2);
    assertThat(commits.getFirst().clearsBeforeStampedSets()).containsExactly(wide);
  }

  @Test
  void aStampedSetIsClearedEvenIfAVersionToComeWasSetToBeRead() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    tx.setReadVersion(1_000);
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Key.of(new byte[14]), new byte[1]);
    Key made = Key.of(StampTemplate.parse(new byte[14]).fill(2, 0));
    tx.clear(KeyRange.single(made));
    tx.commit();
    assertThat(commits.getFirst().stampedSets().getFirst().isCleared(made)).isTrue();
  }

  private String clearedOf(int set) {
    Commit.StampedSet stamped = commits.getFirst().stampedSets().get(set);
    return "0bly"
        .chars()
        .filter(letter -> stamped.isCleared(Key.of((byte) letter)))
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Test
  void manyQuietWritesBesideManyClearsAreAsQuickAsFew() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    assertTimeout(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 0; i < 50_000; i++) {
            Key key = Key.of((byte) (i >> 16), (byte) (i >> 8), (byte) i);
            tx.clear(KeyRange.single(key.append((byte) 0)));
            tx.nextWriteWithoutConflict();
            tx.clear(key);
          }
          tx.commit();
          Commit commit = commits.getFirst();
          for (KeyRange cleared : clearsOf(commit)) {
            assertThat(commit.loudParts(cleared)).containsExactly(cleared);
            assertThat(commit.quietParts(cleared)).isEmpty();
          }
        });
    assertThat(commits.getFirst().clears()).hasSize(50_000);
    assertThat(commits.getFirst().quiet()).hasSize(50_000);
  }

  @Test
  void aClearedRangeHasTheQuietPartsThatNoOtherWriteMadeLoud() {
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    for (String quiet : List.of("ce", "gi", "km")) {
      tx.nextWriteWithoutConflict();
      tx.clear(letters(quiet));
    }
    tx.clear(letters("dh"));
    tx.commit();
    Commit commit = commits.getFirst();
    assertThat(clearsOf(commit)).containsExactly(letters("ci"), letters("km"));
    assertThat(commit.loudParts(letters("ci"))).containsExactly(letters("dh"));
    assertThat(commit.quietParts(letters("ci"))).containsExactly(letters("cd"), letters("hi"));
    assertThat(commit.loudParts(letters("km"))).isEmpty();
    assertThat(commit.quietParts(letters("km"))).containsExactly(letters("km"));
    assertThat(commit.loudParts(letters("lm"))).isEmpty();
    assertThat(commit.quietParts(letters("lm"))).containsExactly(letters("lm"));
    assertThat(commit.loudParts(letters("eg"))).containsExactly(letters("eg"));
    assertThat(commit.quietParts(letters("eg"))).isEmpty();
  }

  private static List<KeyRange> clearsOf(Commit commit) {
    List<KeyRange> clears = new ArrayList<>();
    commit.clears().forEach((begin, end) -> clears.add(KeyRange.of(begin, end)));
    return clears;
  }

  private static KeyRange letters(String ends) {
    return KeyRange.of(Key.utf8(ends.substring(0, 1)), Key.utf8(ends.substring(1)));
  }

  @Test
  void placeOfACommitWhoseReplyWasLostIsNotKnown() {
    outcome =
        () -> {
          throw new CommitUnknownException("the reply was lost", null);
        };
    BufferedTransaction tx = begin(TransactionOptions.DEFAULTS);
    tx.set(Key.utf8("a"), new byte[1]);
    assertThatThrownBy(tx::commit).isInstanceOf(CommitUnknownException.class);
    assertThatThrownBy(tx::versionstamp)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("its place among the commits is not known");
    assertThatThrownBy(tx::committedVersion).isInstanceOf(UsageException.class);
  }

  private BufferedTransaction begin(TransactionOptions options) {
    return new BufferedTransaction(options, Limits.DEFAULTS, TimeSource.system()) {
      @Override
      protected BaseReads openBase() {
        return new OneRow();
      }

      @Override
      protected BaseReads openBase(long version) {
        return new OneRow();
      }

      @Override
      protected Commit.Position commit(Commit commit) {
        commits.add(commit);
        outcome.run();
        return new Commit.Position(2, 0);
      }

      @Override
      protected KeyWatch newWatch(Key key, byte @Nullable [] seen) {
        throw new UnsupportedOperationException();
      }

      @Override
      protected void activate(KeyWatch watch) {
        throw new UnsupportedOperationException();
      }

      @Override
      protected void checkDatabaseOpen() {}
    };
  }

  /** A store with one row, in the middle of {@link #ROWS}. */
  private final class OneRow implements BaseReads {
    private final KeyValue row = new KeyValue(Key.utf8("r5"), new byte[1]);

    @Override
    public long version() {
      return 1;
    }

    @Override
    public byte @Nullable [] get(Key key) {
      return key.equals(row.key()) ? row.value() : null;
    }

    @Override
    public Map<Key, byte[]> getAll(Collection<Key> keys) {
      return keys.contains(row.key()) ? Map.of(row.key(), row.value()) : Map.of();
    }

    @Override
    public ScanPortion scan(Key begin, Key end, int rows, int bytes, boolean reverse) {
      meanwhile.run();
      boolean here = KeyRange.of(begin, end).contains(row.key());
      return new ScanPortion(here ? List.of(row) : List.of(), false);
    }

    @Override
    public void close() {}
  }
}
