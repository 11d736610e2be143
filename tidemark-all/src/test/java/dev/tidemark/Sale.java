package dev.tidemark;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/** A record whose changes are followed. */
@Recordable
record Sale(@PrimaryKey long id, long total) {}
