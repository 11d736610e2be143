package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Relationship;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.IndexKind;
import java.util.List;

/** What a customer orders. */
@Recordable
@Index(fields = "lines[].product")
@Index(
    fields = {"customer", "total"},
    kind = IndexKind.SUM)
record Order(
    @PrimaryKey long number,
    @Relationship(to = Customer.class, onDelete = DeleteRule.CASCADE) long customer,
    long total,
    List<Line> lines,
    String type) {
  record Line(String product, int count) {}
}
