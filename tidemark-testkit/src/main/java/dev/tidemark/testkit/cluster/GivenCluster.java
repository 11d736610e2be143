package dev.tidemark.testkit.cluster;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyRange;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * The FoundationDB cluster whose cluster file the environment variable {@code FDB_CLUSTER_FILE}
 * names. Suites that otherwise run on a {@link ClusterLikeDatabase}, or not at all, run on it if it
 * is there. <b>Every test empties it first</b>: it must be one for tests, and one test at a time
 * may use it.
 */
public final class GivenCluster {
  private static final Optional<Path> FILE =
      Optional.ofNullable(System.getenv("FDB_CLUSTER_FILE")).map(Path::of);

  private GivenCluster() {}

  /** Whether a cluster is given. */
  public static boolean isGiven() {
    return FILE.isPresent();
  }

  /**
   * What {@code open} makes of the cluster file, with nothing in it any more.
   *
   * @throws IllegalStateException if no cluster is given
   */
  public static Database emptied(Function<Path, ? extends Database> open) {
    Path file =
        FILE.orElseThrow(
            () ->
                new IllegalStateException(
                    "No cluster is given; set FDB_CLUSTER_FILE to the file of one that may be"
                        + " emptied"));
    Database database = open.apply(file);
    try {
      database.run(tx -> tx.clear(KeyRange.ALL));
      return database;
    } catch (RuntimeException | Error failure) {
      database.close();
      throw failure;
    }
  }
}
