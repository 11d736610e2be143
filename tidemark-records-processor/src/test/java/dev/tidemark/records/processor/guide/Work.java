package dev.tidemark.records.processor.guide;

import dev.tidemark.records.DeleteRule;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;
import dev.tidemark.records.Relationship;

@Recordable
record Work(
    @PrimaryKey long id,
    String title,
    @Relationship(to = Author.class, onDelete = DeleteRule.CASCADE) String author) {}
