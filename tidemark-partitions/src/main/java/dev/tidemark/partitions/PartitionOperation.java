package dev.tidemark.partitions;

import dev.tidemark.kv.Key;
import java.time.Instant;
import java.util.Optional;

/**
 * A split, merge, move, drain or failover, under way or over.
 *
 * @param id its name
 * @param kind what it does
 * @param state how far it is as a whole
 * @param step what it does now, or did last
 * @param partition the partition it works on; of a merge, the lower one
 * @param other the new partition of a split, the upper one of a merge
 * @param node where it moves to, or what it drains
 * @param key where it splits
 * @param attempts how often something had to be done again
 * @param started when it was asked for
 * @param updated when it changed last
 * @param error why the last attempt failed
 */
public record PartitionOperation(
    String id,
    String kind,
    State state,
    String step,
    Optional<String> partition,
    Optional<String> other,
    Optional<String> node,
    Optional<Key> key,
    int attempts,
    Instant started,
    Instant updated,
    Optional<String> error) {
  /** How far an operation is. */
  public enum State {
    /** Under way; a leader that is gone is followed by one that goes on with it. */
    RUNNING,
    /** It took effect. */
    DONE,
    /** It was given up, and nothing has changed. */
    FAILED,
    /** Somebody ended it, and nothing has changed. */
    CANCELLED
  }

  /** This operation, if it took effect. */
  public PartitionOperation orThrow() {
    if (state == State.DONE) {
      return this;
    }
    throw new PartitionException(
        PartitionException.Reason.REFUSED,
        "Operation %s, a %s, is %s: %s".formatted(id, kind, state, error.orElse("no reason")));
  }
}
