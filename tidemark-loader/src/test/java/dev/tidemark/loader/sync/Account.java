package dev.tidemark.loader.sync;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/** An account of the tests. */
@Recordable
record Account(@PrimaryKey long id, String owner, long balance) {}
