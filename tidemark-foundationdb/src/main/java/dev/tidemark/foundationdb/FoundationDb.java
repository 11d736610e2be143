package dev.tidemark.foundationdb;

import dev.tidemark.foundationdb.internal.cluster.ClientNetwork;
import dev.tidemark.foundationdb.internal.cluster.Cluster;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A database on a FoundationDB cluster, through FoundationDB's own client.
 *
 * <p>The cluster does what the embedded engine does: conflicts, own writes in reads, limits and the
 * five seconds of a version are its own. Programs move from one to the other without a change.
 *
 * <p>Needs FoundationDB's client library {@code libfdb_c} 7.4 or later on the machine; {@link
 * #open} says where to get it if it is missing. The client's network is started by the first {@link
 * #open} and ends with the process.
 *
 * <p>A commit can end in {@link CommitUnknownException}, when the connection is lost on the way.
 * {@link #transact} finds out with an idempotency id what became of it.
 */
public final class FoundationDb implements Database {
  private final Cluster cluster;

  private FoundationDb(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Opens the cluster of the machine's default cluster file. */
  public static FoundationDb open() {
    return open(UnaryOperator.identity());
  }

  /** {@link #open()} with other options. */
  public static FoundationDb open(UnaryOperator<FoundationDbOptions> change) {
    return open(Path.of(""), change);
  }

  /**
   * Opens the cluster that {@code clusterFile} names. It need not be up: reads and commits wait for
   * it, at most {@link FoundationDbOptions#responseTimeout}.
   *
   * @throws UsageException if the client library is missing or too old, if the file cannot be read,
   *     or if the options for the network differ from those that this process started it with
   */
  public static FoundationDb open(Path clusterFile) {
    return open(clusterFile, UnaryOperator.identity());
  }

  /** {@link #open(Path)} with other options; the empty path stands for the default file. */
  public static FoundationDb open(Path clusterFile, UnaryOperator<FoundationDbOptions> change) {
    FoundationDbOptions options = change.apply(FoundationDbOptions.DEFAULTS);
    return over(
        ClientNetwork.open(clusterFile, options),
        options,
        Limits.DEFAULTS.withWatches(options.watches()));
  }

  /** The database on a client that is open already, and that is closed with it. */
  static FoundationDb over(
      com.apple.foundationdb.Database client, FoundationDbOptions options, Limits limits) {
    return new FoundationDb(Cluster.over(client, options, limits));
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return cluster.begin(options);
  }

  @Override
  public long estimatedSize(KeyRange range) {
    return cluster.estimatedSize(range);
  }

  @Override
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    return cluster.splitPoints(range, pieceBytes);
  }

  /**
   * When {@code version} was committed, by the samples of versions and times that the databases of
   * a cluster keep in it; in between it is interpolated. Exact to about the difference of the
   * processes' clocks while a database is open somewhere; see docs/formats/version-times.md.
   */
  @Override
  public Instant timeOf(long version) {
    return cluster.timeOf(version);
  }

  @Override
  public long versionAt(Instant instant) {
    return cluster.versionAt(instant);
  }

  /** True: a connection can be lost while a commit is on its way. */
  @Override
  public boolean commitCanBeUnknown() {
    return true;
  }

  @Override
  public Limits limits() {
    return cluster.limits();
  }

  /**
   * The clock of this machine, or that of the options: a cluster has no time of day. So records
   * expire by the clocks of the machines that use them, which have to be kept in step.
   */
  @Override
  public TimeSource time() {
    return cluster.time();
  }

  /** The options that this database was opened with. */
  public FoundationDbOptions options() {
    return cluster.options();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
