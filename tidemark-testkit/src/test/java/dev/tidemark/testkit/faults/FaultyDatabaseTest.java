package dev.tidemark.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultyDatabaseTest {
  private static final Key KEY = Key.utf8("a");
  private static final byte[] VALUE = {1};

  private final ManualTime time = ManualTime.selfAdvancing();
  private final Database real = ModelDatabase.open(Limits.DEFAULTS, time);

  private boolean isStored() {
    return real.read(tx -> tx.get(KEY)).isPresent();
  }

  /** Sets the key in one transaction on which {@code fault} strikes; what the caller gets. */
  private DatabaseException commitWith(Fault fault) {
    FaultyDatabase faulty = FaultyDatabase.over(real, FaultPlan.first(fault));
    try (Transaction tx = faulty.begin()) {
      tx.set(KEY, VALUE);
      DatabaseException failure = catchThrowableOfType(DatabaseException.class, tx::commit);
      assertThat(faulty.injected(fault)).isEqualTo(1);
      return failure;
    }
  }

  @Test
  void conflictIsRefusedAndWritesNothing() {
    DatabaseException failure = commitWith(Fault.CONFLICT);
    assertThat(failure).isInstanceOf(ConflictException.class).hasMessageContaining("commit 1");
    assertThat(isStored()).isFalse();
  }

  @Test
  void tooOldIsRefusedAndWritesNothing() {
    assertThat(commitWith(Fault.TOO_OLD)).isInstanceOf(TransactionTooOldException.class);
    assertThat(isStored()).isFalse();
  }

  @Test
  void unknownCommittedIsCommitted() {
    DatabaseException failure = commitWith(Fault.UNKNOWN_COMMITTED);
    assertThat(failure).isInstanceOf(CommitUnknownException.class);
    assertThat(failure.maybeCommitted()).isTrue();
    assertThat(isStored()).isTrue();
  }

  @Test
  void unknownNotCommittedIsNotCommitted() {
    assertThat(commitWith(Fault.UNKNOWN_NOT_COMMITTED)).isInstanceOf(CommitUnknownException.class);
    assertThat(isStored()).isFalse();
  }

  @Test
  void unknownOnItsWayArrivesBeforeALaterCommit() {
    FaultyDatabase faulty = FaultyDatabase.over(real, FaultPlan.first(Fault.UNKNOWN_ON_ITS_WAY));
    try (Transaction tx = faulty.begin()) {
      tx.set(KEY, VALUE);
      assertThat(catchThrowableOfType(DatabaseException.class, tx::commit).code()).isEqualTo(1021);
    }
    assertThat(isStored()).isFalse();
    for (int i = 0; i < 3; i++) {
      try (Transaction other = faulty.begin()) {
        other.set(Key.utf8("b"), VALUE);
        other.commit();
      }
    }
    assertThat(isStored()).isTrue();
  }

  @Test
  void delayTakesTimeAndThenCommits() {
    long before = time.nanos();
    FaultyDatabase faulty = FaultyDatabase.over(real, FaultPlan.first(Fault.DELAY));
    try (Transaction tx = faulty.begin()) {
      tx.set(KEY, VALUE);
      tx.commit();
    }
    assertThat(isStored()).isTrue();
    assertThat(time.nanos()).isGreaterThan(before);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"DELAY", "UNKNOWN_ON_ITS_WAY"},
      mode = EnumSource.Mode.EXCLUDE)
  void transactionIsOverAfterAFault(Fault fault) {
    try (Transaction tx = FaultyDatabase.over(real, FaultPlan.first(fault)).begin()) {
      tx.set(KEY, VALUE);
      assertThat(catchThrowableOfType(DatabaseException.class, tx::commit)).isNotNull();
      assertThat(catchThrowableOfType(DatabaseException.class, () -> tx.get(KEY)))
          .isInstanceOf(TransactionClosedException.class);
    }
  }

  @Test
  void planNamesCommitsByNumber() {
    FaultyDatabase faulty =
        FaultyDatabase.over(real, FaultPlan.at(Map.of(2L, Fault.CONFLICT, 4L, Fault.TOO_OLD)));
    StringBuilder outcome = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      try (Transaction tx = faulty.begin()) {
        tx.mutate(MutationType.ADD, KEY, VALUE);
        tx.commit();
        outcome.append("ok ");
      } catch (DatabaseException failure) {
        outcome.append(failure.code()).append(' ');
      }
    }
    assertThat(outcome.toString()).isEqualTo("ok 1020 ok 1007 ok ");
    assertThat(faulty.commits()).isEqualTo(5);
  }

  @Test
  void randomPlanIsTheSameForTheSameSeedAndStrikesAboutItsShare() {
    Fault[] all = Fault.values();
    FaultPlan plan = FaultPlan.random(7, 0.3, all);
    FaultPlan same = FaultPlan.random(7, 0.3, all);
    int struck = 0;
    EnumSet<Fault> seen = EnumSet.noneOf(Fault.class);
    for (int i = 1; i <= 1_000; i++) {
      assertThat(same.at(i)).isEqualTo(plan.at(i));
      if (plan.at(i).isPresent()) {
        struck++;
        seen.add(plan.at(i).get());
      }
    }
    assertThat(struck).isBetween(240, 360);
    assertThat(seen).containsExactlyInAnyOrder(all);
    assertThat(FaultPlan.none().at(1)).isEmpty();
  }

  @Test
  void faultyDatabaseStillKeepsWhatItPromises() {
    FaultyDatabase faulty = FaultyDatabase.over(real, FaultPlan.none());
    assertThat(faulty.commitCanBeUnknown()).isTrue();
    assertThat(faulty.time()).isSameAs(time);
    faulty.with(o -> o.withTimeout(Duration.ofSeconds(1))).run(tx -> tx.set(KEY, VALUE));
    assertThat(isStored()).isTrue();
    faulty.close();
    assertThat(catchThrowableOfType(DatabaseException.class, real::begin))
        .isInstanceOf(TransactionClosedException.class);
  }
}
