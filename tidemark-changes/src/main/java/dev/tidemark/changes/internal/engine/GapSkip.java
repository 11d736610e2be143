package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import dev.tidemark.kv.InterruptedOperationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What is left of a partition whose changes were removed before they were read. */
record GapSkip(Environment env, PartitionRow claimed) {
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final int IDLE_MAX = 12;

  /** Whether the partition itself goes on at {@code earliest}. */
  boolean survives(Position earliest) {
    return claimed.token().equals(root())
        || alive(earliest).stream().anyMatch(child -> child.token().equals(claimed.token()));
  }

  /** Stores the partitions that are alive at {@code earliest}, unless they are known. */
  void insertAlive(Position earliest) {
    env.run()
        .insertChildren(
            claimed,
            new ChangeRecord.ChildPartitions(
                earliest, env.source().timeOf(earliest), "", alive(earliest)));
  }

  private List<ChangeRecord.Child> alive(Position earliest) {
    List<ChangeRecord.Child> alive = new ArrayList<>();
    ChangeSource.Query root =
        new ChangeSource.Query(root(), earliest, env.run().row().end(), env.options().heartbeat());
    int idle = 0;
    try (ChangeSource.Cursor cursor = env.source().open(root)) {
      while (idle < IDLE_MAX) {
        switch (cursor.next(WAIT)) {
          case ChangeSource.Next.Item(ChangeRecord record, int bytes) -> {
            if (record instanceof ChangeRecord.ChildPartitions children) {
              alive.addAll(children.children());
            }
          }
          case ChangeSource.Next.Idle() -> idle++;
          case ChangeSource.Next.Ended(ChangeSource.End end) -> {
            if (end == ChangeSource.End.BROKEN_OFF) {
              throw unanswered("the query broke off");
            }
            return alive;
          }
        }
      }
      throw unanswered("nothing came for " + WAIT.multipliedBy(IDLE_MAX));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted while looking for the partitions behind a gap", interrupt);
    }
  }

  /** A part of them would lose the others. */
  private static ChangeSourceException unanswered(String why) {
    return new ChangeSourceException(
        ChangeSourceException.Kind.UNAVAILABLE,
        "The partitions behind a gap are not known: " + why,
        null);
  }

  private String root() {
    return env.source().rootOf(claimed.token());
  }
}
