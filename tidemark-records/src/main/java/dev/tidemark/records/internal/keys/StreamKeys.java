package dev.tidemark.records.internal.keys;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangePosition;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The key layout of a change stream, which only this class knows. docs/formats/changes.md describes
 * it.
 */
public final class StreamKeys {
  private static final int STREAM = 0;
  private static final int NEXT = 1;
  private static final int ACTIVE = 2;
  private static final int ENDED = 3;
  private static final int LOG = 4;
  private static final int WAKE = 5;
  private static final int HORIZON = 6;
  private static final int PINS = 7;
  private static final int TICK = 8;

  private static final byte AFTER_TUPLE = (byte) 0xff;

  /** Most transactions change fewer records than this. */
  private static final List<Tuple> FIRST_PLACES =
      IntStream.range(0, 64).mapToObj(StreamKeys::place).toList();

  private final Subspace root;
  private final Subspace log;
  private final Key wake;

  /** The keys of the stream in {@code root}. */
  public StreamKeys(Subspace root) {
    this.root = root;
    this.log = root.sub(LOG);
    this.wake = root.pack(WAKE);
  }

  public KeyRange everything() {
    return root.prefixRange();
  }

  /** The row with the commit that created the stream; it exists as long as the stream. */
  public Key stream() {
    return root.pack(STREAM);
  }

  /** The number of the next partition. */
  public Key nextPartition() {
    return root.pack(NEXT);
  }

  /** The row of an active partition; a transaction that writes to the partition has read it. */
  public Key active(int partition) {
    return root.pack(ACTIVE, partition);
  }

  public KeyRange allActive() {
    return root.sub(ACTIVE).prefixRange();
  }

  /** The row of an ended partition. */
  public Key ended(int partition) {
    return root.pack(ENDED, partition);
  }

  public KeyRange allEnded() {
    return root.sub(ENDED).prefixRange();
  }

  /** The number of the partition whose row has {@code key}. */
  public int partition(Key key) {
    return root.unpack(key).getInt(1);
  }

  /** Changed by every commit that adds to the log. */
  public Key wake() {
    return wake;
  }

  /** The version up to which changes may have been removed. */
  public Key horizon() {
    return root.pack(HORIZON);
  }

  public Key pin(String reader) {
    return root.pack(PINS, reader);
  }

  public KeyRange pins() {
    return root.sub(PINS).prefixRange();
  }

  public Key tick() {
    return root.pack(TICK);
  }

  // ---- the log

  /** The log of {@code partition}. */
  public Subspace log(int partition) {
    return log.sub(partition);
  }

  /** The versionstamped key of a row. */
  public static Key row(Subspace partition, int sequence) {
    return partition.packWithVersionstamp(
        sequence < FIRST_PLACES.size() ? FIRST_PLACES.get(sequence) : place(sequence));
  }

  private static Tuple place(int sequence) {
    return Tuple.of(Versionstamp.incomplete(0), sequence);
  }

  /** The versionstamped key of piece {@code number}, from 1, of a row. */
  public static Key piece(Subspace partition, int sequence, int number) {
    return partition.packWithVersionstamp(Tuple.of(Versionstamp.incomplete(0), sequence, number));
  }

  /** The rows of a partition behind {@code position}. */
  public static KeyRange behind(Subspace partition, ChangePosition position) {
    return KeyRange.of(
        partition.pack(position.commit(), position.sequence()).append(AFTER_TUPLE),
        partition.prefixRange().end());
  }

  /** The rows of a partition up to {@code version}, inclusive. */
  public static KeyRange upTo(Subspace partition, long version) {
    ChangePosition last = ChangePosition.behind(version);
    return KeyRange.of(
        partition.prefixRange().begin(),
        partition.pack(last.commit(), last.sequence()).append(AFTER_TUPLE));
  }
}
