package dev.tidemark;

import dev.tidemark.records.ChangeStream;
import dev.tidemark.records.Directory;
import dev.tidemark.records.RecordSchema;
import dev.tidemark.records.changes.CaptureType;

/** Where sales lie. */
@RecordSchema(
    value = {Sale.class},
    version = 1)
@Directory({"ledger"})
@ChangeStream(name = "sales", watch = "Sale", capture = CaptureType.NEW_ROW)
interface Ledger {}
