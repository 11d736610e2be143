package dev.tidemark.node.internal.meters;

import dev.tidemark.records.annotation.ChangeStream;
import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.annotation.RecordSchema;
import dev.tidemark.records.schema.CaptureType;

/** The records of the demo, which lie in one place. */
@RecordSchema(
    value = {Meter.class, Reading.class, Alert.class},
    version = 1)
@Directory({"demo", "grid"})
@ChangeStream(name = Grid.STREAM, watch = "Reading", capture = CaptureType.NEW_ROW)
interface Grid {
  /** The stream of saved readings. */
  String STREAM = "saved";
}
