package dev.tidemark.changes.internal.partition;

import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.RunRow;
import dev.tidemark.kv.UsageException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The first change of a reader: the run is registered, joined, or goes on with a later end. */
record RunOpening(
    MetadataStore.Rows rows,
    ChangeSource source,
    Position start,
    Optional<Position> end,
    Instant now) {

  RunRow open() {
    Optional<RunRow> stored = rows.run();
    if (stored.isEmpty()) {
      refuseStartBehindTheEnd();
      return register(new RunRow(1, source.id(), start, false, end, now));
    }
    RunRow row = stored.get();
    if (!row.source().equals(source.id())) {
      throw new IllegalStateException(
          "The run was started on %s and cannot go on with %s; give this reader another run name"
              .formatted(row.source(), source.id()));
    }
    return row.end().equals(end) ? withNewRoots(row) : withOtherEnd(row);
  }

  /** A run that is stored has its own start: where it would begin today is of no interest. */
  private void refuseStartBehindTheEnd() {
    if (end.isPresent() && source.compare(start, end.get()) > 0) {
      throw UsageException.invalidOption(
          "The run would start at %s, behind its end at %s; give it a later end or an earlier start"
              .formatted(source.timeOf(start), source.timeOf(end.get())));
    }
  }

  /** What the source has joined since the run began is read from where the run began. */
  private RunRow withNewRoots(RunRow row) {
    for (String root : source.roots()) {
      if (rows.partition(row.generation(), root).isEmpty()) {
        rows.put(PartitionRow.created(row.generation(), root, List.of(), row.start(), now));
      }
    }
    return row;
  }

  /**
   * A run that has not been completed keeps its range, so that the parts of one run agree about it;
   * a completed one is followed by the range behind it.
   */
  private RunRow withOtherEnd(RunRow row) {
    boolean complete =
        rows.partitions(row.generation()).stream().allMatch(PartitionRow::isFinished);
    if (row.end().isEmpty() || !complete) {
      throw new IllegalStateException(
          "The run is under way until %s and cannot be continued until %s; use the same end, or another run name"
              .formatted(shown(row.end()), shown(end)));
    }
    Position reached = row.end().get();
    if (end.isPresent() && source.compare(end.get(), reached) <= 0) {
      return row;
    }
    rows.partitions(row.generation()).forEach(old -> rows.remove(row.generation(), old.token()));
    return register(new RunRow(row.generation() + 1, source.id(), reached, true, end, now));
  }

  private RunRow register(RunRow row) {
    rows.putRun(row);
    for (String root : source.roots()) {
      rows.put(
          PartitionRow.created(row.generation(), root, List.of(), row.start(), row.createdAt()));
    }
    return row;
  }

  private static String shown(Optional<Position> end) {
    return end.map(Position::toString).orElse("for ever");
  }
}
