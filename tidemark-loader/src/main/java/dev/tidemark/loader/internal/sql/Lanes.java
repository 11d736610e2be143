package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a warehouse: one that merges, one that is being filled ahead of its merge, one that
 * waits with rows, and those that are free. Whoever takes a lane is alone with it until it is given
 * back or dropped.
 */
final class Lanes {
  private final Dialect dialect;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final ArrayDeque<Lane> free = new ArrayDeque<>();
  private @Nullable Filled filled;
  private boolean closed;

  /** A lane whose stage of {@code table} has {@code rows}; nothing else is under way in it. */
  private record Filled(Lane lane, Table table, List<Row> rows) {
    @SuppressWarnings("ReferenceEquality") // equal rows are not the rows that were announced
    boolean has(Table wanted, List<Row> list) {
      return rows == list && table.equals(wanted);
    }
  }

  Lanes(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Takes a free lane, or a new one. */
  Lane take() throws SQLException {
    lock.lock();
    try {
      if (closed) {
        throw new SQLException("The warehouse is closed", "08003");
      }
      Lane lane = free.pollFirst();
      return lane == null ? Lane.open(dialect) : lane;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the lane that waits with these very rows, if there is one. */
  Optional<Lane> takeFilled(Table table, List<Row> rows) {
    lock.lock();
    try {
      Filled waiting = filled;
      if (waiting == null || !waiting.has(table, rows)) {
        return Optional.empty();
      }
      filled = null;
      return Optional.of(waiting.lane());
    } finally {
      lock.unlock();
    }
  }

  /** Gives a lane back in which nothing is under way and all stages are empty. */
  void give(Lane lane) {
    lock.lock();
    try {
      free.addFirst(lane);
    } finally {
      lock.unlock();
    }
  }

  /** Gives a lane back that has {@code rows}. Rows that waited so far will not come any more. */
  void giveFilled(Lane lane, Table table, List<Row> rows) {
    lock.lock();
    try {
      dropFilled();
      filled = new Filled(lane, table, rows);
    } finally {
      lock.unlock();
    }
  }

  private void dropFilled() {
    Filled waiting = filled;
    filled = null;
    if (waiting != null) {
      waiting.lane().drop();
    }
  }

  /** Drops all lanes; nobody has taken one. */
  void close() {
    lock.lock();
    try {
      closed = true;
      dropFilled();
      free.forEach(Lane::drop);
      free.clear();
    } finally {
      lock.unlock();
    }
  }
}
