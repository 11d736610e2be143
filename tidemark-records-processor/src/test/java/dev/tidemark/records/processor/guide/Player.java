package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.IndexKind;

@Recordable
@Index(
    name = "players_by_points",
    fields = {"league", "points desc"},
    kind = IndexKind.RANK)
record Player(@PrimaryKey String league, @PrimaryKey long id, int points) {}
