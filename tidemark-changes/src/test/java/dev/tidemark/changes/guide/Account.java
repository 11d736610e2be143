package dev.tidemark.changes.guide;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

@Recordable
record Account(@PrimaryKey long id, String owner, long balance) {}
