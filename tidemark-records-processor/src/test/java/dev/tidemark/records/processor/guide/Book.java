package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Unique;
import java.util.List;

@Recordable
@Unique(fields = "isbn")
@Index(fields = {"author", "year desc"})
record Book(@PrimaryKey long id, String isbn, String author, int year, List<String> subjects) {}
