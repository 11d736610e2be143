package dev.tidemark.loader.sync;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import java.math.BigDecimal;
import java.time.Instant;

/** A record with values that no column of a table holds as they are. */
@Recordable
record Tick(@PrimaryKey Instant at, char mark, BigDecimal price) {}
