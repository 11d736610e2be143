package dev.tidemark.changes.guide;

import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

@Recordable
record Account(@PrimaryKey long id, String owner, long balance) {}
