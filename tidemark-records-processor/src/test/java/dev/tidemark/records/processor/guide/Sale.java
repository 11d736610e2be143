package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.IndexKind;

@Recordable
@Index(
    name = "sale_count",
    fields = {"country", "region"},
    kind = IndexKind.COUNT)
@Index(
    name = "sale_cents",
    fields = {"country", "region", "cents"},
    kind = IndexKind.SUM)
@Index(
    name = "sale_least",
    fields = {"country", "region", "cents"},
    kind = IndexKind.MIN)
record Sale(@PrimaryKey long id, String country, String region, long cents) {}
