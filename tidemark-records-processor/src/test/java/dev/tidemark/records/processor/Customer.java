package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/** Somebody who orders. */
@Recordable
record Customer(@PrimaryKey long id, String name) {}
