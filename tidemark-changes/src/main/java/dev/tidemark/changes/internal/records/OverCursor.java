package dev.tidemark.changes.internal.records;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSource.Next;
import dev.tidemark.changes.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A partition that is over where it was left: nobody continues it. */
public final class OverCursor implements ChangeSource.Cursor {
  private final Position position;
  private final Instant time;
  private boolean told;

  /** The end at {@code position}, whose time is {@code time}. */
  public OverCursor(Position position, Instant time) {
    this.position = position;
    this.time = time;
  }

  @Override
  public Next next(Duration wait) {
    boolean first = !told;
    told = true;
    return first
        ? new Next.Item(new ChangeRecord.ChildPartitions(position, time, "", List.of()), 0)
        : new Next.Ended(ChangeSource.End.PARTITION_OVER);
  }

  @Override
  public void close() {
    told = true;
  }
}
