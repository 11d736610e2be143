package dev.tidemark.bench.queries;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/** What a {@link Person} bought: the other side of a join. */
@Recordable
@Index(fields = "dayNumber", name = "purchase_day")
@Index(fields = "personId", name = "purchase_person")
record Purchase(@PrimaryKey long purchaseId, long personId, int dayNumber, long cents) {}
