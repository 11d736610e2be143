package dev.tidemark.records.processor;

import dev.tidemark.records.DeleteRule;
import dev.tidemark.records.Index;
import dev.tidemark.records.IndexKind;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;
import dev.tidemark.records.Relationship;
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
