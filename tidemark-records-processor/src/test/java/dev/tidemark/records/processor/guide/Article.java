package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.IndexKind;

@Recordable
@Index(
    name = "article_words",
    fields = {"language", "body"},
    kind = IndexKind.TEXT)
record Article(@PrimaryKey long id, String language, String body) {}
