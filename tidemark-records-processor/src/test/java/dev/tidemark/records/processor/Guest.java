package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import org.jspecify.annotations.Nullable;

/** Somebody who may have no name. */
@Recordable
record Guest(@PrimaryKey long id, @Nullable String name, @Nullable String town) {}
