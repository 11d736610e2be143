package dev.tidemark.bench.queries;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Unique;
import dev.tidemark.records.schema.IndexKind;

/** What {@code bench queries} looks for. {@code note} has no index. */
@Recordable
@Unique(fields = "email", name = "person_email")
@Index(
    fields = {"city", "age"},
    name = "person_city_age")
@Index(fields = "score", name = "person_score")
@Index(fields = "team", name = "person_team")
@Index(fields = "level", name = "person_level")
@Index(fields = "city", kind = IndexKind.COUNT, name = "person_city_count")
record Person(
    @PrimaryKey long personId,
    String email,
    String city,
    int age,
    int score,
    int team,
    int level,
    String status,
    String note) {}
