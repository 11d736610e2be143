package dev.tidemark;

import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

/** A record whose changes are followed. */
@Recordable
record Sale(@PrimaryKey long id, long total) {}
