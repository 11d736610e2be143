package dev.tidemark;

import dev.tidemark.records.annotation.ChangeStream;
import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.annotation.RecordSchema;
import dev.tidemark.records.schema.CaptureType;

/** Where sales lie. */
@RecordSchema(
    value = {Sale.class},
    version = 1)
@Directory({"ledger"})
@ChangeStream(name = "sales", watch = "Sale", capture = CaptureType.NEW_ROW)
interface Ledger {}
