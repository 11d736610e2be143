package dev.tidemark.node.internal.meters;

import dev.tidemark.records.Directory;
import dev.tidemark.records.RecordSchema;

/** The records of the demo, which lie in one place. */
@RecordSchema(
    value = {Meter.class, Reading.class, Alert.class},
    version = 1)
@Directory({"demo", "grid"})
interface Grid {}
