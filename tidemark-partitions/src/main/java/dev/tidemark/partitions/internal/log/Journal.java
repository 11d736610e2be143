package dev.tidemark.partitions.internal.log;

import dev.tidemark.partitions.ActorSnapshot;
import dev.tidemark.partitions.PartitionRange;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The log and the checkpoints of one partition in one tenure. All writes are refused with the
 * reason MOVED once the tenure is over. One thread appends at a time; checkpoints may be written
 * meanwhile.
 */
public interface Journal {
  /** Whose it is. */
  Tenure tenure();

  /** Loads everything. */
  Loaded load(JournalTarget target) throws Exception;

  /**
   * Loads the entries behind {@code from.lsn()}. Nothing comes back if they are not all there,
   * because a checkpoint has replaced some: load everything into another target then.
   */
  Optional<Loaded> catchUp(Loaded from, JournalTarget target) throws Exception;

  /**
   * Makes the phase SERVING, for an owner who has loaded the log up to entry {@code lsn}, and
   * removes what earlier owners left over. From then on no append of an earlier journal of this
   * tenure can commit, although one whose outcome is not known may still be on its way.
   *
   * @throws dev.tidemark.partitions.PartitionException CORRUPT if the log ends elsewhere: such an
   *     append has arrived since, and everything is to be loaded again
   */
  void open(long lsn);

  /** Makes the phase SERVING again, after {@link #quiesce}. */
  void serve();

  /**
   * Makes the phase QUIESCED. From then on nothing can be appended, and a flip is possible, until
   * {@link #serve}: one of the two comes first, never both.
   */
  void quiesce();

  /**
   * Appends records. The first one becomes entry {@code firstLsn}, which follows the last one of
   * the log.
   */
  void append(long firstLsn, List<Append> batch) throws AppendFailedException;

  /** Writes a checkpoint, makes it count, and removes the log entries that are in it. */
  long checkpoint(CheckpointSource source) throws Exception;

  /** Stages both halves of the partition. The log must still end where the sources do. */
  void stageSplit(String operation, CheckpointSource lower, String upperId, CheckpointSource upper)
      throws Exception;

  /** Stages this partition merged with {@code upper}, whose log must end at {@code upperLsn}. */
  void stageMerge(String operation, CheckpointSource merged, Tenure upper, long upperLsn)
      throws Exception;

  /**
   * What a checkpoint is made of.
   *
   * @param lsn the last log entry that is in it
   * @param keys how many keys it has, if that is known
   * @param parts first the answers, then one or two states
   */
  record CheckpointSource(long lsn, OptionalLong keys, List<Part> parts) {
    public CheckpointSource {
      parts = List.copyOf(parts);
    }
  }

  /** Writes one part of a checkpoint. */
  @FunctionalInterface
  interface Part {
    void write(OutputStream out) throws Exception;

    /** What {@code snapshot} has in {@code range}. */
    static Part of(ActorSnapshot snapshot, PartitionRange range) {
      return out -> snapshot.export(range, out);
    }
  }
}
