package dev.tidemark.node.internal.tour;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.IndexKind;

/** What the service of the demo stores. */
@Recordable
@Index(
    fields = {"customer", "total"},
    name = Purchase.BY_CUSTOMER)
@Index(
    fields = {"customer", "total"},
    kind = IndexKind.SUM,
    name = Purchase.SPENT)
record Purchase(@PrimaryKey long id, String customer, long total, boolean billed) {
  static final String BY_CUSTOMER = "purchase_by_customer";
  static final String SPENT = "purchase_spent";

  Purchase asBilled() {
    return new Purchase(id, customer, total, true);
  }
}
