package dev.tidemark.foundationdb.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.FDBException;
import dev.tidemark.foundationdb.internal.facade.FdbClass;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.kv.UsageException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterErrorsTest {
  record Row(
      int code, Class<? extends DatabaseException> type, boolean retryable, boolean inDoubt) {
    @Override
    public String toString() {
      return code + " " + type.getSimpleName();
    }
  }

  /** What a commit fails with. */
  static List<Row> commits() {
    return List.of(
        new Row(1007, TransactionTooOldException.class, true, false),
        new Row(1009, UnavailableException.class, true, false),
        new Row(1020, ConflictException.class, true, false),
        new Row(1021, CommitUnknownException.class, false, true),
        new Row(1031, TransactionTimedOutException.class, false, true),
        new Row(1032, LimitExceededException.class, false, false),
        new Row(1036, UnreadableKeyException.class, false, false),
        new Row(1037, UnavailableException.class, true, false),
        new Row(1038, UnavailableException.class, true, false),
        new Row(1042, UnavailableException.class, true, false),
        new Row(1051, UnavailableException.class, true, false),
        new Row(1078, UnavailableException.class, true, false),
        new Row(1213, UnavailableException.class, true, false),
        new Row(1223, UnavailableException.class, true, false),
        new Row(1235, UnavailableException.class, true, false),
        new Row(1242, UnavailableException.class, true, false),
        new Row(1500, StorageException.class, false, true),
        new Row(1510, StorageException.class, false, true),
        new Row(1515, UsageException.class, false, false),
        new Row(2000, UsageException.class, false, false),
        new Row(2004, UsageException.class, false, false),
        new Row(2005, UsageException.class, false, false),
        new Row(2006, UsageException.class, false, false),
        new Row(2007, UsageException.class, false, false),
        new Row(2010, UsageException.class, false, false),
        new Row(2011, UsageException.class, false, false),
        new Row(2012, UsageException.class, false, false),
        new Row(2018, UsageException.class, false, false),
        new Row(2101, LimitExceededException.class, false, false),
        new Row(2102, LimitExceededException.class, false, false),
        new Row(2103, LimitExceededException.class, false, false),
        new Row(2108, UsageException.class, false, false),
        new Row(2203, UsageException.class, false, false),
        new Row(4100, StorageException.class, false, true));
  }

  /** Codes that are not in the table go by the predicates of class FDB. */
  @BeforeAll
  static void prepareClassFdb() {
    FdbClass.prepare();
  }

  private static FDBException error(int code) {
    return new FDBException("What the client says", code);
  }

  @ParameterizedTest
  @MethodSource("commits")
  void errorOfACommitBecomesItsExceptionWithTheSameCode(Row row) {
    DatabaseException failure = ClusterErrors.ofCommit(error(row.code()));

    assertThat(failure).isInstanceOf(row.type());
    assertThat(failure.code()).isEqualTo(row.code());
    assertThat(failure.retryable()).isEqualTo(row.retryable());
    assertThat(failure.maybeCommitted()).isEqualTo(row.inDoubt());
  }

  @ParameterizedTest
  @MethodSource("commits")
  void errorOfAReadIsNeverInDoubt(Row row) {
    DatabaseException failure = ClusterErrors.of(error(row.code()));

    assertThat(failure.code()).isEqualTo(row.code());
    assertThat(failure.maybeCommitted()).isFalse();
    assertThat(failure.retryable()).isEqualTo(row.retryable() || row.code() == 1021);
  }

  @ParameterizedTest
  @ValueSource(ints = {1022, 1039})
  void otherDoubtsAboutACommitAreUnknownResultsToo(int code) {
    assertThat(ClusterErrors.ofCommit(error(code))).isInstanceOf(CommitUnknownException.class);
    assertThat(ClusterErrors.of(error(code)))
        .isInstanceOf(UnavailableException.class)
        .satisfies(failure -> assertThat(failure.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @ValueSource(ints = {1025, 1101, 2017})
  void commitThatAnotherCallEndsOnItsWayIsInDoubt(int code) {
    assertThat(ClusterErrors.ofCommit(error(code))).isInstanceOf(CommitUnknownException.class);
    assertThat(ClusterErrors.of(error(code)))
        .isInstanceOfAny(TransactionClosedException.class, InterruptedOperationException.class)
        .satisfies(failure -> assertThat(failure.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @MethodSource("commits")
  void messageHoldsTheClientsWordsTheCodeAndWhatToDo(Row row) {
    assertThat(ClusterErrors.of(error(row.code())).getMessage())
        .startsWith("What the client says (FoundationDB's error " + row.code() + "). ")
        .matches(".*\\)\\. [A-Z].+");
  }
}
