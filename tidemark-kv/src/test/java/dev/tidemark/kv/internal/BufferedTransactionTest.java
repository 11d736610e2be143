package dev.tidemark.kv.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BufferedTransactionTest {
  private static final KeyRange ROWS = KeyRange.of(Key.utf8("r"), Key.utf8("s"));

  private final List<Commit> commits = new ArrayList<>();

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
    public Scan.Portion scan(Key begin, Key end, int rows, int bytes, boolean reverse) {
      meanwhile.run();
      boolean here = KeyRange.of(begin, end).contains(row.key());
      return new Scan.Portion(here ? List.of(row) : List.of(), false);
    }

    @Override
    public void close() {}
  }
}
