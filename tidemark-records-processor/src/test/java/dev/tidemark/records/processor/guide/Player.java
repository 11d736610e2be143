package dev.tidemark.records.processor.guide;

import dev.tidemark.records.Index;
import dev.tidemark.records.IndexKind;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

@Recordable
@Index(
    name = "players_by_points",
    fields = {"league", "points desc"},
    kind = IndexKind.RANK)
record Player(@PrimaryKey String league, @PrimaryKey long id, int points) {}
