package dev.tidemark.foundationdb;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.DatabaseOptions;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.TransactionOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every option that fdb-java has, so that one of a later fdb-java is not passed over. */
class FacadeOptionListTest extends FacadeCase {
  /** Options that change what the facade does: {@link FacadeOptionsTest} shows how. */
  private static final Set<String> TAKEN =
      Set.of(
          "NextWriteNoWriteConflictRange",
          "ReadYourWritesDisable",
          "SnapshotRywEnable",
          "SnapshotRywDisable",
          "Timeout",
          "RetryLimit",
          "MaxRetryDelay",
          "SizeLimit");

  private static final Set<String> TAKEN_BY_DATABASES =
      Set.of(
          "SnapshotRywEnable",
          "SnapshotRywDisable",
          "MaxWatches",
          "TransactionTimeout",
          "TransactionRetryLimit",
          "TransactionMaxRetryDelay",
          "TransactionSizeLimit");

  /** Options that are accepted; the table in docs/foundationdb.md says why. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "CausalWriteRisky",
          "CausalReadRisky",
          "CausalReadDisable",
          "IncludePortInAddress",
          "ReadAheadDisable",
          "ReadServerSideCacheEnable",
          "ReadServerSideCacheDisable",
          "ReadPriorityNormal",
          "ReadPriorityLow",
          "ReadPriorityHigh",
          "DurabilityDatacenter",
          "DurabilityRisky",
          "DurabilityDevNullIsWebScale",
          "PrioritySystemImmediate",
          "PriorityBatch",
          "AccessSystemKeys",
          "ReadSystemKeys",
          "RawAccess",
          "BypassStorageQuota",
          "DebugRetryLogging",
          "TransactionLoggingEnable",
          "DebugTransactionIdentifier",
          "LogTransaction",
          "TransactionLoggingMaxFieldLength",
          "ServerRequestTracing",
          "AutomaticIdempotency",
          "LockAware",
          "ReadLockAware",
          "UsedDuringCommitProtectionDisable",
          "UseProvisionalProxies",
          "ReportConflictingKeys",
          "SpecialKeySpaceRelaxed",
          "SpecialKeySpaceEnableWrites",
          "Tag",
          "AutoThrottleTag",
          "SpanParent",
          "ExpensiveClearCostEstimationEnable",
          "UseGrvCache",
          "AuthorizationToken",
          "EnableReplicaConsistencyCheck",
          "ConsistencyCheckRequiredReplicas");

  private static final Set<String> WITHOUT_EFFECT_ON_DATABASES =
      Set.of(
          "LocationCacheSize",
          "MachineId",
          "DatacenterId",
          "TransactionLoggingMaxFieldLength",
          "TransactionCausalReadRisky",
          "TransactionIncludePortInAddress",
          "TransactionAutomaticIdempotency",
          "TransactionUsedDuringCommitProtectionDisable",
          "TransactionReportConflictingKeys",
          "TestCausalReadRisky");

  private static final Set<String> REFUSED = Set.of("InitializeNewDatabase", "BypassUnreadable");

  private static final Set<String> REFUSED_BY_DATABASES =
      Set.of("TransactionBypassUnreadable", "UseConfigDatabase");

  private static Stream<Method> setters(Class<?> options) {
    return Stream.of(options.getDeclaredMethods())
        .filter(method -> method.getName().startsWith("set"));
  }

  static Stream<Method> ofTransactions() {
    return setters(TransactionOptions.class);
  }

  static Stream<Method> ofDatabases() {
    return setters(DatabaseOptions.class);
  }

  /** What becomes of the option that {@code setter} sets. */
  private static int code(Object options, Method setter) throws Exception {
    Object[] arguments =
        Stream.of(setter.getParameterTypes())
            .map(type -> type == long.class ? 1_000L : type == byte[].class ? new byte[33] : "text")
            .toArray();
    try {
      setter.invoke(options, arguments);
      return 0;
    } catch (InvocationTargetException failure) {
      return ((FDBException) requireNonNull(failure.getCause())).getCode();
    }
  }

  private static String name(Method setter) {
    return setter.getName().substring("set".length());
  }

  @ParameterizedTest
  @MethodSource("ofTransactions")
  void optionOfATransactionIsTakenIgnoredOrRefused(Method setter) throws Exception {
    String name = name(setter);
    try (Transaction tx = db.createTransaction()) {
      int code = code(tx.options(), setter);
      assertThat(Stream.of(TAKEN, WITHOUT_EFFECT, REFUSED).filter(list -> list.contains(name)))
          .as("lists that have " + name)
          .hasSize(1);
      assertThat(code).isEqualTo(REFUSED.contains(name) ? 2007 : 0);
      assertThat(tx.get(bytes("a")).join()).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("ofDatabases")
  void optionOfADatabaseIsTakenIgnoredOrRefused(Method setter) throws Exception {
    String name = name(setter);
    int code = code(db.options(), setter);
    assertThat(
            Stream.of(TAKEN_BY_DATABASES, WITHOUT_EFFECT_ON_DATABASES, REFUSED_BY_DATABASES)
                .filter(list -> list.contains(name)))
        .as("lists that have " + name)
        .hasSize(1);
    assertThat(code).isEqualTo(REFUSED_BY_DATABASES.contains(name) ? 2007 : 0);
    assertThat(stored("a")).isNull();
  }
}
