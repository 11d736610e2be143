package dev.tidemark;

import dev.tidemark.records.Index;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

// tag::program
@Recordable
@Index(fields = {"customer", "total"})
record Order(@PrimaryKey long id, String customer, long total) {}
// end::program
