package dev.tidemark.loader.sync;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/** An account of a later version of the program. */
@Recordable(name = "Account")
record AccountWithCity(@PrimaryKey long id, String owner, long balance, String city) {}
