package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Tuple;

/** The keys of one cluster, all of them. The page docs/formats/partitions.md describes them. */
public final class PartitionKeys {
  private static final String NODE = "node";
  private static final String OWNERSHIP = "own";
  private static final String ROUTE = "route";
  private static final String OPERATION = "op";
  private static final String OPERATION_LOCK = "oplock";
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

  public Key leader() {
    return cluster.pack("pm", "leader");
  }

  public Key node(String id) {
    return cluster.pack(NODE, id);
  }

  public KeyRange nodes() {
    return cluster.range(Tuple.of(NODE));
  }

  /** The id of the node that has this key. */
  public String nodeOf(Key key) {
    return cluster.unpack(key).getString(1);
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

  public Key route(String type, Key start) {
    return cluster.pack(ROUTE, type, start.toByteArray());
  }

  public KeyRange routes() {
    return cluster.range(Tuple.of(ROUTE));
  }

  public KeyRange routes(String type) {
    return cluster.range(Tuple.of(ROUTE, type));
  }

  /** The actor type of the route with this key. */
  public String routedType(Key key) {
    return cluster.unpack(key).getString(1);
  }

  /** The start of the route with this key. */
  public Key routedStart(Key key) {
    return Key.wrap(cluster.unpack(key).getBytes(2));
  }

  public Key routingVersion() {
    return cluster.pack("routingVersion");
  }

  public Key operation(String id) {
    return cluster.pack(OPERATION, id);
  }

  public KeyRange operations() {
    return cluster.range(Tuple.of(OPERATION));
  }

  /** The operation that has this key. */
  public String operationOf(Key key) {
    return cluster.unpack(key).getString(1);
  }

  public Key operationLock(String partition) {
    return cluster.pack(OPERATION_LOCK, partition);
  }

  public KeyRange operationLocks() {
    return cluster.range(Tuple.of(OPERATION_LOCK));
  }

  public Key policy() {
    return cluster.pack("policy");
  }

  /** Whether nodes that nobody registered are let in. */
  public Key admission() {
    return cluster.pack("admission");
  }

  public Key policyState() {
    return cluster.pack("policyState");
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
