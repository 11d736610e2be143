package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.ChangeStream;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.CaptureType;

@Recordable
@ChangeStream(name = "accounts", capture = CaptureType.NEW_ROW_AND_OLD_VALUES, optOut = true)
@ChangeStream(name = "owners", watch = "Account(owner)", retention = "P1D")
record Account(@PrimaryKey long id, String owner, long balance) {}
