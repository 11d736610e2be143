package dev.tidemark.loader.sync;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/** An account of a still later version: the name of the renamed field is that of a new one. */
@Recordable(name = "Account")
record AccountWithAnotherOwner(
    @PrimaryKey long number, String holder, long balance, String owner) {}
