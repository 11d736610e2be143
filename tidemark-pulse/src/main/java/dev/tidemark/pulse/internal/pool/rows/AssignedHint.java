package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.kv.tuple.Tuple;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the channel of a node tells of a job that was assigned to one of its workers. It is told in
 * the step that assigns the job.
 *
 * @param row its row in {@link PoolKeys#ASSIGNED}
 * @param job the job as it was assigned; null if the node is to read it
 * @param payload of the job
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared as a whole
record AssignedHint(Tuple row, @Nullable JobRow job, byte[] payload) {
  /** A greater payload is not worth sending to somebody who may not need it. */
  private static final int PAYLOAD_BYTES_MAX = 4_096;

  private static final int ROW_ELEMENTS = 4;
  private static final byte[] NOTHING = {};

  /** Tells of the job {@code key} at {@code worker}. */
  public static AssignedHint of(String key, String worker) {
    return new AssignedHint(PoolKeys.index(new JobState.Assigned(worker), key), null, NOTHING);
  }

  /**
   * Tells the same, with all that it takes to start it unless that is much. The messages of a box
   * have to be read anyway.
   */
  public static AssignedHint of(String key, String worker, JobRow job, byte[] payload) {
    AssignedHint brief = of(key, worker);
    return payload.length > PAYLOAD_BYTES_MAX || KeyMessages.isBox(key)
        ? brief
        : new AssignedHint(brief.row(), job, payload);
  }

  byte[] encode() {
    Tuple head = job == null ? row : row.append(job.encode());
    return HeadAndPayload.encode(head, payload);
  }

  public static AssignedHint decode(byte[] bytes) {
    Tuple head = HeadAndPayload.head(bytes);
    JobRow job = head.size() > ROW_ELEMENTS ? JobRow.decode(head.getBytes(ROW_ELEMENTS)) : null;
    Tuple row = job == null ? head : head.subTuple(0, ROW_ELEMENTS);
    return new AssignedHint(row, job, HeadAndPayload.payload(bytes));
  }

  public String worker() {
    return row.getString(2);
  }

  String key() {
    return PoolKeys.last(row);
  }

  /** The assignment, if the node need not read it. */
  public Optional<Assignment> assignment() {
    return job == null
        ? Optional.empty()
        : Optional.of(new Assignment(new JobClaim(worker(), key(), job.epoch()), job, payload));
  }
}
