package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.Cluster;
import com.apple.foundationdb.Database;
import com.apple.foundationdb.EventKeeper;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.NetworkOptions;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The substitute for {@code com.apple.foundationdb.FDB} where the native library is missing. {@link
 * FdbClass} defines this class under that name next to fdb-java, so it has the members that
 * fdb-java and layers link to, uses nothing but the JDK and fdb-java, and has no nested classes.
 */
public class FdbSubstitute {
  /** Runs callbacks without an executor of their own. */
  public static final ExecutorService DEFAULT_EXECUTOR =
      Executors.newVirtualThreadPerTaskExecutor();

  static final int RETRYABLE = 50_000;
  static final int MAYBE_COMMITTED = 50_001;
  static final int RETRYABLE_NOT_COMMITTED = 50_002;

  /** Before it versionstamps were placed by offsets of two bytes, which the facade cannot read. */
  private static final int LOWEST_API_VERSION = 520;

  private static final int HIGHEST_API_VERSION = 740;
  private static final int NO_CLUSTER_FILE = 1515;

  private static @Nullable FdbSubstitute selected;
  private static volatile @Nullable Function<Executor, Database> opener;

  private final int apiVersion;

  /** Read by fdb-java. */
  boolean warnOnUnclosed = true;

  private FdbSubstitute(int apiVersion) {
    this.apiVersion = apiVersion;
  }

  /** Makes {@link #open()} return the databases of {@code databases}. */
  static void openWith(Function<Executor, Database> databases) {
    opener = databases;
  }

  /** Whether the program has chosen a version of the API. */
  public static synchronized boolean isAPIVersionSelected() {
    return selected != null;
  }

  /**
   * The one instance. A program that uses only the facade need not choose a version: the highest
   * applies.
   */
  public static synchronized FdbSubstitute instance() {
    FdbSubstitute chosen = selected;
    return chosen == null ? new FdbSubstitute(HIGHEST_API_VERSION) : chosen;
  }

  /** Chooses a version of the API, once. */
  public static synchronized FdbSubstitute selectAPIVersion(int version) {
    FdbSubstitute chosen = selected;
    if (chosen != null && chosen.apiVersion != version) {
      throw new IllegalArgumentException(
          "FoundationDB API already started at different version: %d, so %d cannot be selected"
              .formatted(chosen.apiVersion, version));
    }
    if (version < LOWEST_API_VERSION || version > HIGHEST_API_VERSION) {
      throw new IllegalArgumentException(
          "API version %d is not one from %d to %d"
              .formatted(version, LOWEST_API_VERSION, HIGHEST_API_VERSION));
    }
    if (chosen == null) {
      chosen = new FdbSubstitute(version);
      selected = chosen;
    }
    return chosen;
  }

  /** The version of the API. */
  public int getAPIVersion() {
    return apiVersion;
  }

  /** FoundationDB's classes of errors. */
  protected static boolean evalErrorPredicate(int predicate, int code) {
    return switch (predicate) {
      case RETRYABLE ->
          evalErrorPredicate(MAYBE_COMMITTED, code)
              || evalErrorPredicate(RETRYABLE_NOT_COMMITTED, code);
      case MAYBE_COMMITTED -> code == 1021 || code == 1039;
      case RETRYABLE_NOT_COMMITTED ->
          switch (code) {
            case 1007, 1009, 1020, 1037, 1038, 1042, 1051, 1078, 1213, 1223, 1235, 1242 -> true;
            default -> false;
          };
      default -> false;
    };
  }

  /** Options of a network that is not there: each is accepted. */
  public NetworkOptions options() {
    return new NetworkOptions((code, value) -> {});
  }

  /** Opens the database that was installed. */
  public Database open() {
    return open(null);
  }

  /** Opens the database that was installed, whatever {@code clusterFilePath} is. */
  public Database open(@Nullable String clusterFilePath) {
    return open(clusterFilePath, DEFAULT_EXECUTOR);
  }

  /** Opens the database that was installed. */
  public Database open(@Nullable String clusterFilePath, @Nullable EventKeeper eventKeeper) {
    return open(clusterFilePath, DEFAULT_EXECUTOR, eventKeeper);
  }

  /** Opens the database that was installed, with its callbacks in {@code executor}. */
  public Database open(@Nullable String clusterFilePath, Executor executor) {
    return open(clusterFilePath, executor, null);
  }

  /** Opens the database that was installed, with its callbacks in {@code executor}. */
  public Database open(
      @Nullable String clusterFilePath, Executor executor, @Nullable EventKeeper eventKeeper) {
    Function<Executor, Database> databases = opener;
    if (databases == null) {
      throw new FDBException(
          "FoundationDB's native library (libfdb_c) is missing, and no Tidemark database takes"
              + " the cluster's place. Install the library, or call FdbFacade.install(database)"
              + " first.",
          NO_CLUSTER_FILE);
    }
    return databases.apply(executor);
  }

  /** Not offered: a cluster is no longer a thing of its own since version 6.1. */
  @Deprecated
  public Cluster createCluster() {
    throw new UnsupportedOperationException("There is no cluster; call FDB.open()");
  }

  /** Not offered. */
  @Deprecated
  public Cluster createCluster(@Nullable String clusterFilePath) {
    return createCluster();
  }

  /** Not offered. */
  @Deprecated
  public Cluster createCluster(@Nullable String clusterFilePath, Executor executor) {
    return createCluster();
  }

  /** Remembered, for fdb-java's own objects. */
  public void setUnclosedWarning(boolean warn) {
    warnOnUnclosed = warn;
  }

  /** Does nothing: there is no network to stop. */
  public void disableShutdownHook() {}

  /** Does nothing: there are no native buffers. */
  public void enableDirectBufferQuery(boolean enabled) {}

  /** No: there are no native buffers. */
  public boolean isDirectBufferQueriesEnabled() {
    return false;
  }

  /** Does nothing: there are no native buffers. */
  public void resizeDirectBufferPool(int poolSize, int bufferSize) {}

  /** Does nothing: there is no network. */
  public void startNetwork() {}

  /** Does nothing: there is no network. */
  public void startNetwork(Executor executor) {}

  /** Does nothing: there is no network. */
  public void stopNetwork() {}
}
