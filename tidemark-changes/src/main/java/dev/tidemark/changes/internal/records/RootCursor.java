package dev.tidemark.changes.internal.records;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSource.Next;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The partitions that are alive at the start of a run, as one child record. */
final class RootCursor implements ChangeSource.Cursor {
  private ChangeRecord.@Nullable ChildPartitions partitions;

  RootCursor(ChangeRecord.ChildPartitions partitions) {
    this.partitions = partitions;
  }

  @Override
  public Next next(Duration wait) {
    ChangeRecord.ChildPartitions record = partitions;
    partitions = null;
    return record == null
        ? new Next.Ended(ChangeSource.End.PARTITION_OVER)
        : new Next.Item(record, 0);
  }

  @Override
  public void close() {
    partitions = null;
  }
}
