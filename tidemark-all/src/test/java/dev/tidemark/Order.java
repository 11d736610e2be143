package dev.tidemark;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

// tag::program
@Recordable
@Index(fields = {"customer", "total"})
record Order(@PrimaryKey long id, String customer, long total) {}
// end::program
