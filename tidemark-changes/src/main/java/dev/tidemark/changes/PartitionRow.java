package dev.tidemark.changes;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link MetadataStore} keeps of one partition in one generation of a run. Immutable; a
 * reader changes it by one transition function only, so that each store keeps the same rules.
 *
 * @param generation the generation of the run
 * @param token the partition; empty for the root
 * @param parents the partitions that it continues
 * @param start where it begins
 * @param state how far it is
 * @param resume where reading goes on
 * @param owner the process that reads it; empty if none does
 * @param epoch how often it was claimed; writes with an older epoch are refused
 * @param createdAt when it became known
 * @param scheduledAt when it was first claimed
 * @param runningAt when its query first answered
 * @param finishedAt when everything of it was acknowledged
 */
public record PartitionRow(
    long generation,
    String token,
    List<String> parents,
    Position start,
    State state,
    ResumePoint resume,
    Optional<String> owner,
    long epoch,
    Instant createdAt,
    Optional<Instant> scheduledAt,
    Optional<Instant> runningAt,
    Optional<Instant> finishedAt) {

  /** How far a partition is. It only moves on. */
  public enum State {
    /** Known; its parents may still be read. */
    CREATED,
    /** Claimed by a process. */
    SCHEDULED,
    /** Its query has answered. */
    RUNNING,
    /** All its records were acknowledged, and its children are known or the end is reached. */
    FINISHED
  }

  /** Copies the list. */
  public PartitionRow {
    parents = List.copyOf(parents);
  }

  /** A partition that has become known. */
  public static PartitionRow created(
      long generation, String token, List<String> parents, Position start, Instant now) {
    return new PartitionRow(
        generation,
        token,
        parents,
        start,
        State.CREATED,
        ResumePoint.at(start),
        Optional.empty(),
        0,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Whether nothing of it is left to do. */
  public boolean isFinished() {
    return state == State.FINISHED;
  }

  /** Whether {@code member} has claimed it and nobody else since. */
  public boolean isOwnedBy(String member, long claimEpoch) {
    return epoch == claimEpoch && owner.isPresent() && owner.get().equals(member);
  }
}
