package dev.tidemark.records.processor;

import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;
import org.jspecify.annotations.Nullable;

/** Somebody who may have no name. */
@Recordable
record Guest(@PrimaryKey long id, @Nullable String name, @Nullable String town) {}
