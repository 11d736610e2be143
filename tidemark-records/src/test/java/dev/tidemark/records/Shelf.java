package dev.tidemark.records;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.Field;
import dev.tidemark.records.query.TextField;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Customers and orders that refer to them, as dynamic records, for joins and queries as text. */
final class Shelf {
  static final Subspace ROOT = Subspace.of("shelf");
  static final TypeSpec CUSTOMER =
      TypeSpec.of(
          "Customer",
          List.of(
              new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "name", FieldType.Scalar.STRING, true)),
          List.of(1));
  static final TypeSpec ORDER =
      new TypeSpec(
          "Order",
          List.of(
              new FieldSpec(1, "number", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "customer", FieldType.Scalar.LONG, true),
              new FieldSpec(3, "total", FieldType.Scalar.LONG, false),
              new FieldSpec(
                  4, "state", new FieldType.Constants("State", List.of("NEW", "PAID")), true),
              new FieldSpec(5, "tags", new FieldType.ListOf(FieldType.Scalar.STRING), false),
              new FieldSpec(6, "day", FieldType.Scalar.DATE, true)),
          List.of(1),
          false,
          Optional.empty(),
          List.of(new TypeSpec.Relation(2, "Customer", DeleteRule.RESTRICT)));

  static final Field<DynamicRecord, Long> ID =
      Field.of(CUSTOMER, 1, record -> (Long) record.value(1));
  static final TextField<DynamicRecord> NAME =
      Field.text(CUSTOMER, 2, record -> (String) record.value(2));
  static final Field<DynamicRecord, Long> NUMBER =
      Field.of(ORDER, 1, record -> (Long) record.value(1));
  static final Field<DynamicRecord, Long> REFERENCE =
      Field.of(ORDER, 2, record -> (Long) record.value(2));

  final RecordSpace space;
  final RecordStore<DynamicRecord> customers;
  final RecordStore<DynamicRecord> orders;

  Shelf(Database database) {
    RecordType<DynamicRecord> customer = DynamicRecord.type(CUSTOMER);
    RecordType<DynamicRecord> order = DynamicRecord.type(ORDER);
    List<IndexSpec> indexes =
        List.of(
            IndexSpec.of("order_customer", "Order", IndexKind.VALUE, List.of(ColumnSpec.of(2))),
            IndexSpec.of("order_count", "Order", IndexKind.COUNT, List.of(ColumnSpec.of(2))));
    space = RecordSpace.open(database, Schema.of(1, List.of(customer, order), indexes), ROOT);
    customers = space.store(customer);
    orders = space.store(order);
  }

  /** Customers 1 to 4, and orders 10 to 15 of the first three; 15 is of nobody. */
  void fill(Database database) {
    List<String> names = List.of("Ann", "Ben", "Cy", "Dee");
    database.run(
        tx -> {
          LongStream.rangeClosed(1, 4)
              .forEach(
                  id ->
                      customers.save(
                          tx,
                          DynamicRecord.of(CUSTOMER)
                              .with("id", id)
                              .with("name", names.get((int) id - 1))));
          LongStream.range(10, 16).mapToObj(Shelf::order).forEach(order -> orders.save(tx, order));
        });
  }

  private static DynamicRecord order(long number) {
    DynamicRecord order =
        DynamicRecord.of(ORDER)
            .with("number", number)
            .with("total", number * 10)
            .with("state", number % 2 == 0 ? "NEW" : "PAID")
            .with("tags", number == 12 ? List.of("gift", "it's") : List.of());
    return number == 15 ? order : order.with("customer", number % 3 + 1);
  }
}
