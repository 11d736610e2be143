package dev.tidemark.records.processor;

import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

/** Somebody who orders. */
@Recordable
record Customer(@PrimaryKey long id, String name) {}
