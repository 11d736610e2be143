package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.internal.partition.FencedException;
import dev.tidemark.changes.internal.partition.Run;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stores resume points. Only the latest of each partition is written, however many there were since
 * the last time. Where the order spans partitions, all are written in one change, so that a stored
 * state never lies within a transaction.
 */
final class PositionWriter {
  private static final int ROWS_MAX = 200;

  private final Run run;
  private final ReentrantLock cut;
  private final boolean together;
  private final Counters counters;

  PositionWriter(Run run, ReentrantLock cut, boolean together, Counters counters) {
    this.run = run;
    this.cut = cut;
    this.together = together;
    this.counters = counters;
  }

  /** Stores what has moved. A session that lost its partition is closed. */
  void flush(Collection<PartitionSession> sessions) {
    Map<PartitionSession, ResumePoint> moved = moved(sessions);
    if (together) {
      write(moved);
      return;
    }
    Map<PartitionSession, ResumePoint> chunk = new LinkedHashMap<>();
    for (Map.Entry<PartitionSession, ResumePoint> each : moved.entrySet()) {
      chunk.put(each.getKey(), each.getValue());
      if (chunk.size() == ROWS_MAX) {
        write(chunk);
        chunk.clear();
      }
    }
    write(chunk);
  }

  private Map<PartitionSession, ResumePoint> moved(Collection<PartitionSession> sessions) {
    Map<PartitionSession, ResumePoint> moved = new LinkedHashMap<>();
    cut.lock();
    try {
      for (PartitionSession session : sessions) {
        session.unstored().ifPresent(resume -> moved.put(session, resume));
      }
      if (together && !moved.isEmpty()) {
        // The other positions are written unchanged: the write fails if a partition was lost.
        sessions.stream()
            .filter(session -> !session.isFinished())
            .forEach(session -> moved.putIfAbsent(session, session.deque().resume()));
      }
    } finally {
      cut.unlock();
    }
    return moved;
  }

  private void write(Map<PartitionSession, ResumePoint> moved) {
    if (moved.isEmpty()) {
      return;
    }
    try {
      run.advance(rows(moved));
      counters.positionWrites.increment();
      moved.forEach(PartitionSession::stored);
    } catch (FencedException lost) {
      dropFenced(moved);
    }
  }

  /**
   * One of them has a new owner: each position is written alone, and the session whose write fails
   * is closed.
   */
  private void dropFenced(Map<PartitionSession, ResumePoint> moved) {
    List<PartitionSession> lost = new ArrayList<>();
    if (together) {
      lost.addAll(moved.keySet());
    } else {
      moved.forEach(
          (session, resume) -> {
            try {
              run.advance(Map.of(session.claimed(), resume));
            } catch (FencedException fenced) {
              lost.add(session);
            }
          });
    }
    counters.fenced.add(lost.size());
    lost.forEach(PartitionSession::close);
  }

  /** Stores the last position of {@code done} and that it is finished, in one change. */
  void finish(PartitionSession done, Collection<PartitionSession> all) {
    Map<PartitionSession, ResumePoint> moved = moved(together ? all : List.of(done));
    try {
      done.finish(rows(moved));
    } catch (FencedException lost) {
      counters.fenced.increment();
      done.close();
      (together ? all : List.<PartitionSession>of()).forEach(PartitionSession::close);
      return;
    }
    counters.positionWrites.increment();
    moved.forEach(PartitionSession::stored);
  }

  private static Map<PartitionRow, ResumePoint> rows(Map<PartitionSession, ResumePoint> moved) {
    Map<PartitionRow, ResumePoint> rows = new LinkedHashMap<>();
    moved.forEach((session, resume) -> rows.put(session.claimed(), resume));
    return rows;
  }
}
