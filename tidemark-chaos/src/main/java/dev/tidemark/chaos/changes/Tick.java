package dev.tidemark.chaos.changes;

import dev.tidemark.records.annotation.ChangeStream;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.CaptureType;

/**
 * What the writers of {@code chaos changes} save: a record whose value goes up by one each time.
 */
@Recordable
@ChangeStream(name = Tick.STREAM, capture = CaptureType.NEW_ROW)
record Tick(@PrimaryKey long id, long value) {
  static final String STREAM = "ticks";

  /** How many records there are. */
  static final int COUNT = 200;
}
