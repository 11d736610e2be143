package dev.tidemark.changes.internal.partition;

import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.PartitionRow.State;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ResumePoint;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** A step of a partition. {@link #apply} is the only place that says which steps are allowed. */
public sealed interface Transition {
  /** A process takes the partition over, for the first time or from an owner that is gone. */
  record Claim(String owner, Instant now) implements Transition {}

  /** The owner's query has answered. */
  record Run(String owner, long epoch, Instant now) implements Transition {}

  /** More was acknowledged. A position that is not later than the stored one changes nothing. */
  record Advance(String owner, long epoch, ResumePoint resume, Comparator<Position> order)
      implements Transition {}

  /** Everything was acknowledged, and what comes after is known. */
  record Finish(String owner, long epoch, Instant now) implements Transition {}

  /** The owner gives the partition back. */
  record Release(String owner, long epoch) implements Transition {}

  /**
   * The row after {@code step}.
   *
   * @throws FencedException if the step's owner does not own the partition any more
   * @throws IllegalStateException if the partition's state does not allow the step
   */
  static PartitionRow apply(PartitionRow row, Transition step) {
    return switch (step) {
      case Claim(String owner, Instant now) -> claim(row, owner, now);
      case Run(String owner, long epoch, Instant now) -> run(owned(row, owner, epoch), now);
      case Advance(String owner, long epoch, ResumePoint resume, Comparator<Position> order) ->
          advance(owned(row, owner, epoch), resume, order);
      case Finish(String owner, long epoch, Instant now) -> finish(owned(row, owner, epoch), now);
      case Release(String owner, long epoch) -> release(owned(row, owner, epoch));
    };
  }

  private static PartitionRow owned(PartitionRow row, String owner, long epoch) {
    if (!row.isOwnedBy(owner, epoch)) {
      throw new FencedException(row, owner, epoch);
    }
    return row;
  }

  private static PartitionRow claim(PartitionRow row, String owner, Instant now) {
    refuseFinished(row, "claimed");
    State state = row.state() == State.CREATED ? State.SCHEDULED : row.state();
    return new PartitionRow(
        row.generation(),
        row.token(),
        row.parents(),
        row.start(),
        state,
        row.resume(),
        Optional.of(owner),
        row.epoch() + 1,
        row.createdAt(),
        row.scheduledAt().or(() -> Optional.of(now)),
        row.runningAt(),
        row.finishedAt());
  }

  private static PartitionRow run(PartitionRow row, Instant now) {
    refuseFinished(row, "run");
    return row.state() == State.RUNNING
        ? row
        : withState(row, State.RUNNING, Optional.of(now), Optional.empty(), row.owner());
  }

  private static PartitionRow advance(
      PartitionRow row, ResumePoint resume, Comparator<Position> order) {
    refuseFinished(row, "advanced");
    int later = order.compare(resume.position(), row.resume().position());
    boolean wider = later == 0 && resume.boundary().size() > row.resume().boundary().size();
    return later > 0 || wider ? withResume(row, resume) : row;
  }

  private static PartitionRow finish(PartitionRow row, Instant now) {
    refuseFinished(row, "finished");
    return withState(
        row,
        State.FINISHED,
        row.runningAt().or(() -> Optional.of(now)),
        Optional.of(now),
        Optional.empty());
  }

  private static PartitionRow release(PartitionRow row) {
    refuseFinished(row, "released");
    return withState(row, row.state(), row.runningAt(), row.finishedAt(), Optional.empty());
  }

  private static void refuseFinished(PartitionRow row, String what) {
    if (row.isFinished()) {
      throw new IllegalStateException(
          "Partition %s is finished and cannot be %s".formatted(TokenName.of(row.token()), what));
    }
  }

  private static PartitionRow withState(
      PartitionRow row,
      State state,
      Optional<Instant> runningAt,
      Optional<Instant> finishedAt,
      Optional<String> owner) {
    return new PartitionRow(
        row.generation(),
        row.token(),
        row.parents(),
        row.start(),
        state,
        row.resume(),
        owner,
        row.epoch(),
        row.createdAt(),
        row.scheduledAt(),
        runningAt,
        finishedAt);
  }

  private static PartitionRow withResume(PartitionRow row, ResumePoint resume) {
    return new PartitionRow(
        row.generation(),
        row.token(),
        row.parents(),
        row.start(),
        row.state(),
        resume,
        row.owner(),
        row.epoch(),
        row.createdAt(),
        row.scheduledAt(),
        row.runningAt(),
        row.finishedAt());
  }
}
