package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.internal.watermark.Frontier;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a partition has been read. A query is always repeated from the position of the last
 * record, never behind it; records that it returns a second time are recognized here. Used by the
 * session's thread; the frontier can be read by others.
 */
final class ReadState {
  private final Comparator<Position> order;
  private final Set<String> ids;

  /** The only change at the position that {@code ids} does not have: most are alone at theirs. */
  private @Nullable DataChange alone;

  private Position position;

  /** Whether changes were taken that the frontier does not know yet. */
  private boolean ahead;

  private volatile Frontier frontier;

  ReadState(ResumePoint start, Comparator<Position> order) {
    this.order = order;
    this.position = start.position();
    this.ids = new HashSet<>(start.boundary());
    this.frontier = Frontier.before(start.position());
  }

  /** Where a repeated query begins. */
  Position position() {
    return position;
  }

  /** Everything before it has been read. */
  Frontier frontier() {
    return frontier;
  }

  /** Takes a change; false if it was read before. The frontier waits for {@link #handedOver}. */
  boolean take(DataChange change) {
    int compared = order.compare(change.position(), position);
    if (compared > 0) {
      moveTo(change.position());
      ahead = true;
      alone = change;
      return true;
    }
    return compared == 0 && ids().add(change.id());
  }

  /** Whether the change that was just taken is behind all that was read before it. */
  boolean isLater() {
    return alone != null;
  }

  /** All changes taken so far have been handed over: the frontier may pass them. */
  void handedOver() {
    if (ahead) {
      frontier = Frontier.before(position);
      ahead = false;
    }
  }

  /** Takes a heartbeat; false if it tells nothing new. */
  boolean take(ChangeRecord.Heartbeat heartbeat) {
    int compared = order.compare(heartbeat.position(), position);
    if (compared < 0 || (compared == 0 && frontier.inclusive())) {
      return false;
    }
    if (compared > 0) {
      moveTo(heartbeat.position());
    }
    frontier = Frontier.through(position);
    return true;
  }

  /** Takes a child record. The partition itself has nothing at or behind its position. */
  void take(ChangeRecord.ChildPartitions children) {
    if (order.compare(children.position(), position) > 0) {
      moveTo(children.position());
      frontier = Frontier.before(position);
    }
  }

  /** Goes on from {@code later}, because what lies between is lost or known to be empty. */
  void skipTo(Position later) {
    if (order.compare(later, position) > 0) {
      moveTo(later);
      frontier = Frontier.before(later);
    }
  }

  /** Everything up to the run's end has been read. */
  void reachedEnd(Position end) {
    frontier = Frontier.through(end);
  }

  /** What was read at the position. */
  private Set<String> ids() {
    if (alone != null) {
      ids.add(alone.id());
      alone = null;
    }
    return ids;
  }

  private void moveTo(Position later) {
    position = later;
    alone = null;
    if (!ids.isEmpty()) {
      ids.clear();
    }
  }
}
