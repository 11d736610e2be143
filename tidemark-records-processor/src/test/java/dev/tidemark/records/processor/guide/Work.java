package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Relationship;
import dev.tidemark.records.schema.DeleteRule;

@Recordable
record Work(
    @PrimaryKey long id,
    String title,
    @Relationship(to = Author.class, onDelete = DeleteRule.CASCADE) String author) {}
