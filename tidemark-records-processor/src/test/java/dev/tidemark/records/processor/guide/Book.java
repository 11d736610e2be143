package dev.tidemark.records.processor.guide;

import dev.tidemark.records.Index;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;
import dev.tidemark.records.Unique;
import java.util.List;

@Recordable
@Unique(fields = "isbn")
@Index(fields = {"author", "year desc"})
record Book(@PrimaryKey long id, String isbn, String author, int year, List<String> subjects) {}
