package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;

/**
 * The keys of one cluster, all but those of {@link ControlKeys control rows}. The page
 * docs/formats/partitions.md describes them.
 */
public final class PartitionKeys {
  private static final String OWNERSHIP = "own";
  private static final String LOG = "wal";
  private static final String CHECKPOINT = "ckpt";
  private static final String STAGED = "staged";

  private final Subspace cluster;

  public PartitionKeys(Subspace cluster) {
    this.cluster = cluster;
  }

  /** Of which format everything else is. */
  public Key format() {
    return cluster.pack("format");
  }

  /** Everything of the cluster. */
  public KeyRange all() {
    return cluster.prefixRange();
  }

  /** Written to learn the time of the store; its value means nothing. */
  public Key clockTick() {
    return cluster.pack("clock");
  }

  /** Which rows elsewhere are the control rows of this cluster; absent where they are here. */
  public Key controlPlace() {
    return cluster.pack("control", "place");
  }

  /** The latest term of a manager, where the leader's row is elsewhere. */
  public Key termFence() {
    return cluster.pack("control", "term");
  }

  /** What became of an operation whose row is elsewhere. */
  public Key outcome(String operation) {
    return cluster.pack("outcome", operation);
  }

  /** The key of a control row that is in the store. */
  public Key control(Tuple row) {
    return cluster.pack(row);
  }

  public Key ownership(String partition) {
    return cluster.pack(OWNERSHIP, partition);
  }

  public KeyRange ownerships() {
    return cluster.range(Tuple.of(OWNERSHIP));
  }

  /** The partition of an ownership row with this key. */
  public String ownedOf(Key key) {
    return cluster.unpack(key).getString(1);
  }

  public Key logEntry(String partition, long lsn) {
    return cluster.pack(LOG, partition, lsn);
  }

  /** A further piece, from 1 on, of an entry that is too long for one value. */
  public Key logPiece(String partition, long lsn, int piece) {
    return piece == 0 ? logEntry(partition, lsn) : cluster.pack(LOG, partition, lsn, piece);
  }

  /** The whole log of a partition. */
  public KeyRange log(String partition) {
    return cluster.range(Tuple.of(LOG, partition));
  }

  /** The entries of a log behind {@code lsn}. */
  public KeyRange logBehind(String partition, long lsn) {
    return new KeyRange(logEntry(partition, lsn + 1), log(partition).end());
  }

  /** The entries of a log up to {@code lsn}, which is one of them. */
  public KeyRange logThrough(String partition, long lsn) {
    return new KeyRange(log(partition).begin(), logEntry(partition, lsn + 1));
  }

  /** The number of the log entry with this key, or of which it has a piece. */
  public long lsnOf(Key key) {
    return cluster.unpack(key).getLong(2);
  }

  public Key logHead(String partition) {
    return cluster.pack("walHead", partition);
  }

  public Key checkpointHead(String partition) {
    return cluster.pack("ckptHead", partition);
  }

  public Key checkpointChunk(String partition, String generation, int part, int chunk) {
    return cluster.pack(CHECKPOINT, partition, generation, part, chunk);
  }

  /** The chunks of one part of a checkpoint. */
  public KeyRange checkpointPart(String partition, String generation, int part) {
    return cluster.range(Tuple.of(CHECKPOINT, partition, generation, part));
  }

  /** All chunks of one checkpoint. */
  public KeyRange checkpoint(String partition, String generation) {
    return cluster.range(Tuple.of(CHECKPOINT, partition, generation));
  }

  /** All chunks of all checkpoints of a partition. */
  public KeyRange checkpoints(String partition) {
    return cluster.range(Tuple.of(CHECKPOINT, partition));
  }

  /** What an operation has staged for a partition. */
  public Key staged(String operation, String partition) {
    return cluster.pack(STAGED, operation, partition);
  }

  /** Everything that an operation has staged. */
  public KeyRange staged(String operation) {
    return cluster.range(Tuple.of(STAGED, operation));
  }

  /** The partition of a staged row with this key. */
  public String stagedOf(Key key) {
    return cluster.unpack(key).getString(2);
  }
}
