package dev.tidemark.node.internal.meters;

import dev.tidemark.records.annotation.ChangeStream;
import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.annotation.RecordSchema;
import dev.tidemark.records.schema.CaptureType;

/**
 * The records of the demo, which lie in one place. The change stream keeps ten years, so that the
 * warehouse can be filled anew and the audit can count.
 */
@RecordSchema(
    value = {Meter.class, DailyEnergy.class, Reading.class, Alert.class},
    version = 1)
@Directory({"demo", "grid"})
@ChangeStream(
    name = Grid.STREAM,
    watch = "Reading",
    capture = CaptureType.NEW_ROW,
    retention = "P3650D")
interface Grid {
  /** The stream of saved readings. */
  String STREAM = "saved";
}
