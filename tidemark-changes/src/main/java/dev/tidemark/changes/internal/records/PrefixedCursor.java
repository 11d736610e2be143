package dev.tidemark.changes.internal.records;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeRecord.Child;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSource.Next;
import java.time.Duration;

/** A cursor of one of several streams, whose tokens get a prefix that tells them apart. */
public final class PrefixedCursor implements ChangeSource.Cursor {
  private final String prefix;
  private final ChangeSource.Cursor cursor;

  /** What {@code cursor} reads. */
  public PrefixedCursor(String prefix, ChangeSource.Cursor cursor) {
    this.prefix = prefix;
    this.cursor = cursor;
  }

  @Override
  public Next next(Duration wait) throws InterruptedException {
    Next next = cursor.next(wait);
    return next instanceof Next.Item(ChangeRecord.ChildPartitions children, int bytes)
        ? new Next.Item(prefixed(children), bytes)
        : next;
  }

  private ChangeRecord.ChildPartitions prefixed(ChangeRecord.ChildPartitions record) {
    return new ChangeRecord.ChildPartitions(
        record.position(),
        record.timestamp(),
        record.recordSequence(),
        record.children().stream()
            .map(
                child ->
                    new Child(
                        prefix + child.token(),
                        child.parents().stream().map(parent -> prefix + parent).toList()))
            .toList());
  }

  @Override
  public boolean isReady() {
    return cursor.isReady();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
