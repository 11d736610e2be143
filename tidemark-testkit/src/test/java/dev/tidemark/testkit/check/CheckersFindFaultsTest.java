package dev.tidemark.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import dev.tidemark.testkit.model.ModelDatabase;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Stores with one fault each, and the checks that find it. */
class CheckersFindFaultsTest {
  /** The model with transactions changed by {@code break}. */
  private static Database broken(UnaryOperator<Transaction> change) {
    return new ForwardingDatabase(ModelDatabase.open()) {
      @Override
      public Transaction begin(TransactionOptions options) {
        return change.apply(super.begin(options));
      }
    };
  }

  private static class WithoutReadConflicts extends ForwardingTransaction {
    WithoutReadConflicts(Transaction delegate) {
      super(delegate);
    }

    @Override
    public Optional<byte[]> get(Key key) {
      return delegate.snapshot().get(key);
    }

    @Override
    public Map<Key, byte[]> getAll(Collection<Key> keys) {
      return delegate.snapshot().getAll(keys);
    }

    @Override
    public Scan scan(KeySelector begin, KeySelector end) {
      return delegate.snapshot().scan(begin, end);
    }
  }

  /** Point reads conflict, scans do not: phantoms. */
  private static class WithPhantoms extends ForwardingTransaction {
    WithPhantoms(Transaction delegate) {
      super(delegate);
    }

    @Override
    public Scan scan(KeySelector begin, KeySelector end) {
      return delegate.snapshot().scan(begin, end);
    }
  }

  /** A clear of a range forgets the last key of it. */
  private static class WithShortClears extends ForwardingTransaction {
    WithShortClears(Transaction delegate) {
      super(delegate);
    }

    @Override
    public void clear(KeyRange range) {
      Key last = delegate.snapshot().getKey(KeySelector.lastLessThan(range.end()));
      if (range.contains(last)) {
        delegate.clear(KeyRange.of(range.begin(), last));
      }
    }
  }

  private static class WithMaxForMin extends ForwardingTransaction {
    WithMaxForMin(Transaction delegate) {
      super(delegate);
    }

    @Override
    public void mutate(MutationType type, Key key, byte[] operand) {
      delegate.mutate(type == MutationType.MIN ? MutationType.MAX : type, key, operand);
    }
  }

  private static void assertSerializabilityCheckFinds(UnaryOperator<Transaction> change) {
    int found = 0;
    for (long seed = 1; seed <= 10; seed++) {
      try (Database db = broken(change)) {
        long current = seed;
        AssertionError error =
            catchThrowableOfType(
                AssertionError.class, () -> SerializabilityCheck.interleaved(current, db, 200));
        if (error != null) {
          assertThat(error).hasMessageContaining("Seed " + seed);
          found++;
        }
      }
    }
    assertThat(found).as("seeds of ten that find the fault").isGreaterThanOrEqualTo(5);
  }

  @Test
  void storeWithoutReadConflictsIsFound() {
    assertSerializabilityCheckFinds(WithoutReadConflicts::new);
  }

  @Test
  void storeWithPhantomsIsFound() {
    assertSerializabilityCheckFinds(WithPhantoms::new);
  }

  @Test
  void wrongClearIsFoundAndTheProgramIsMadeShort() {
    AssertionError error = firstErrorOfModelCheck(WithShortClears::new);
    assertThat(error).hasMessageContaining("ClearRange").hasMessageContaining("-Dtidemark.seed=");
    assertThat(error.toString().lines().filter(line -> line.startsWith("transaction")).count())
        .as("transactions left in the program")
        .isLessThanOrEqualTo(3);
  }

  @Test
  void wrongMutationIsFound() {
    assertThat(firstErrorOfModelCheck(WithMaxForMin::new)).hasMessageContaining("MIN");
  }

  private static AssertionError firstErrorOfModelCheck(UnaryOperator<Transaction> change) {
    for (long seed = 1; seed <= 10; seed++) {
      long current = seed;
      AssertionError error =
          catchThrowableOfType(
              AssertionError.class, () -> ModelCheck.run(current, () -> broken(change)));
      if (error != null) {
        return error;
      }
    }
    throw new AssertionError("Ten seeds did not find the fault");
  }

  @Test
  void staleReadIsFound() {
    int found = 0;
    for (long seed = 1; seed <= 10; seed++) {
      long current = seed;
      try (Database db = new StaleDatabase()) {
        AssertionError error =
            catchThrowableOfType(
                AssertionError.class, () -> SerializabilityCheck.interleaved(current, db, 100));
        found += error != null && error.toString().contains("had committed before") ? 1 : 0;
      }
    }
    assertThat(found).as("seeds of ten that find the fault").isGreaterThanOrEqualTo(5);
  }

  /** Serializable, but each transaction reads the version of the one begun before it. */
  private static final class StaleDatabase extends ForwardingDatabase {
    private Transaction next;

    StaleDatabase() {
      super(ModelDatabase.open());
      next = delegate.begin();
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      Transaction stale = next;
      next = super.begin(options);
      next.readVersion();
      return stale;
    }
  }
}
