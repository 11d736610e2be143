package dev.tidemark.records.processor.guide;

import dev.tidemark.records.Index;
import dev.tidemark.records.IndexKind;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

@Recordable
@Index(
    name = "article_words",
    fields = {"language", "body"},
    kind = IndexKind.TEXT)
record Article(@PrimaryKey long id, String language, String body) {}
