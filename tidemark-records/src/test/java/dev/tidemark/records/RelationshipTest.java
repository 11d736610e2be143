package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens to records that refer to a deleted one. */
class RelationshipTest {
  private static final Subspace ROOT = Subspace.of("shop");

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void restrictRefusesTheDeleteAndWritesNothing() {
    Shop shop = new Shop(DeleteRule.RESTRICT);
    shop.customer(1);
    shop.order(10, 1L);
    List<KeyValue> before = contents();

    database.run(
        tx ->
            assertThatThrownBy(() -> shop.customers.delete(tx, 1L))
                .isInstanceOf(RelationshipException.class)
                .hasMessageContaining("Customer (1)")
                .hasMessageContaining("Order (10)")
                .hasMessageContaining("'customer'"));
    assertThat(contents()).isEqualTo(before);

    database.run(tx -> shop.orders.delete(tx, 10L));
    assertThat(shop.deleteCustomer(1)).isTrue();
  }

  @Test
  void deleteOfManyIsRefusedAsAWholeOrTakesAllReferringRecordsAlong() {
    Shop strict = new Shop(DeleteRule.RESTRICT);
    strict.customer(1);
    strict.customer(2);
    strict.order(10, 2L);
    List<KeyValue> before = contents();
    database.run(
        tx ->
            assertThatThrownBy(() -> strict.customers.deleteAll(tx))
                .isInstanceOf(RelationshipException.class)
                .hasMessageContaining("Customer (2)"));
    assertThat(contents()).isEqualTo(before);

    database.run(tx -> tx.clear(ROOT.prefixRange()));
    Shop shop = new Shop(DeleteRule.CASCADE);
    before = contents();
    shop.customer(1);
    shop.customer(2);
    shop.order(10, 2L);
    database.run(tx -> shop.customers.deleteAll(tx));
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void cascadeTakesTheReferringRecordsAndTheirEntriesAlong() {
    Shop shop = new Shop(DeleteRule.CASCADE);
    List<KeyValue> before = contents();
    shop.customer(1);
    shop.order(10, 1L);
    shop.order(11, 1L);

    assertThat(shop.deleteCustomer(1)).isTrue();
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void cascadeLeavesTheRecordsOfOthersAlone() {
    Shop shop = new Shop(DeleteRule.CASCADE);
    shop.customer(1);
    shop.customer(2);
    shop.order(10, 1L);
    shop.order(20, 2L);
    shop.deleteCustomer(1);

    List<Object> left =
        database.read(
            tx -> shop.orders.scan(tx).map(order -> order.get("id").orElseThrow()).toList());
    assertThat(left).containsExactly(20L);
  }

  @Test
  void nullifyTakesTheReferenceAway() {
    Shop shop = new Shop(DeleteRule.NULLIFY);
    shop.customer(1);
    shop.order(10, 1L);
    shop.deleteCustomer(1);

    DynamicRecord order = shop.loadOrder(10);
    assertThat(order.get("customer")).isEmpty();
    shop.customer(1);
    assertThat(shop.deleteCustomer(1)).as("nobody refers to it any more").isTrue();
  }

  @Test
  void nullifyTakesOneOfSeveralReferencesOutOfAList() {
    Shop shop = new Shop(DeleteRule.NULLIFY);
    shop.customer(1);
    shop.customer(2);
    database.run(
        tx -> shop.orders.save(tx, shop.newOrder(10).with("watchers", List.of(1L, 2L, 1L))));
    shop.deleteCustomer(1);

    assertThat(shop.loadOrder(10).get("watchers")).contains(List.of(2L));
  }

  @Test
  void twoRecordsThatLoseAReferenceTogetherStayUnique() {
    FieldSpec id = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
    FieldSpec parent = new FieldSpec(2, "parent", FieldType.Scalar.LONG, true);
    FieldSpec name = new FieldSpec(3, "name", FieldType.Scalar.STRING, true);
    TypeSpec node =
        new TypeSpec(
            "Node",
            List.of(id, parent, name),
            List.of(1),
            false,
            Optional.empty(),
            List.of(new TypeSpec.Relation(2, "Node", DeleteRule.NULLIFY)));
    IndexSpec orphans =
        IndexSpec.of("orphans", "Node", IndexKind.VALUE, List.of(ColumnSpec.of(3)))
            .withFilter(IndexFilter.parse(node, "parent is null"))
            .asUnique(false);
    RecordType<DynamicRecord> type = DynamicRecord.type(node);
    RecordStore<DynamicRecord> nodes =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of(orphans)), ROOT).store(type);
    database.run(
        tx -> {
          nodes.save(tx, DynamicRecord.of(node).with("id", 1L).with("name", "root"));
          DynamicRecord twin = DynamicRecord.of(node).with("parent", 1L).with("name", "twin");
          nodes.save(tx, twin.with("id", 2L));
          nodes.save(tx, twin.with("id", 3L));
        });
    List<KeyValue> before = contents();

    database.run(
        tx ->
            assertThatThrownBy(() -> nodes.delete(tx, 1L))
                .isInstanceOf(UniquenessException.class)
                .hasMessageContaining("orphans")
                .hasMessageContaining("(2)")
                .hasMessageContaining("(3)"));
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void noActionLeavesTheReference() {
    Shop shop = new Shop(DeleteRule.NO_ACTION);
    shop.customer(1);
    shop.order(10, 1L);
    shop.deleteCustomer(1);

    assertThat(shop.loadOrder(10).get("customer")).contains(1L);
  }

  @Test
  void cascadeGoesRoundACircleOnce() {
    TypeSpec person =
        new TypeSpec(
            "Node",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(2, "next", FieldType.Scalar.LONG, true)),
            List.of(1),
            false,
            Optional.empty(),
            List.of(new TypeSpec.Relation(2, "Node", DeleteRule.CASCADE)));
    RecordType<DynamicRecord> type = DynamicRecord.type(person);
    RecordStore<DynamicRecord> nodes =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), ROOT).store(type);
    database.run(
        tx -> {
          for (long id = 0; id < 5; id++) {
            nodes.save(tx, DynamicRecord.of(person).with("id", id).with("next", (id + 1) % 5));
          }
        });
    database.run(tx -> nodes.delete(tx, 2L));

    long left = database.<Long, RuntimeException>read(tx -> nodes.scan(tx).count());
    assertThat(left).isZero();
  }

  @Test
  void restrictedRecordThatIsDeletedAlongDoesNotForbid() {
    TypeSpec tree =
        new TypeSpec(
            "Folder",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(2, "parent", FieldType.Scalar.LONG, true),
                new FieldSpec(3, "root", FieldType.Scalar.LONG, true)),
            List.of(1),
            false,
            Optional.empty(),
            List.of(
                new TypeSpec.Relation(2, "Folder", DeleteRule.CASCADE),
                new TypeSpec.Relation(3, "Folder", DeleteRule.RESTRICT)));
    RecordType<DynamicRecord> type = DynamicRecord.type(tree);
    RecordStore<DynamicRecord> folders =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), ROOT).store(type);
    database.run(
        tx -> {
          folders.save(tx, DynamicRecord.of(tree).with("id", 1L));
          folders.save(
              tx, DynamicRecord.of(tree).with("id", 2L).with("parent", 1L).with("root", 1L));
        });

    boolean deleted = database.<Boolean, RuntimeException>transact(tx -> folders.delete(tx, 1L));
    assertThat(deleted).isTrue();
  }

  private List<KeyValue> contents() {
    return database.read(tx -> tx.scan(ROOT.prefixRange()).list());
  }

  /** Customers, and orders that refer to them with one rule. */
  private final class Shop {
    private final TypeSpec customerSpec =
        TypeSpec.of(
            "Customer", List.of(new FieldSpec(1, "id", FieldType.Scalar.LONG, false)), List.of(1));
    private final TypeSpec orderSpec;
    private final RecordStore<DynamicRecord> customers;
    private final RecordStore<DynamicRecord> orders;

    Shop(DeleteRule rule) {
      orderSpec =
          new TypeSpec(
              "Order",
              List.of(
                  new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                  new FieldSpec(2, "customer", FieldType.Scalar.LONG, true),
                  new FieldSpec(3, "watchers", new FieldType.ListOf(FieldType.Scalar.LONG), false)),
              List.of(1),
              false,
              Optional.empty(),
              List.of(
                  new TypeSpec.Relation(2, "Customer", rule),
                  new TypeSpec.Relation(3, "Customer", rule)));
      RecordType<DynamicRecord> customer = DynamicRecord.type(customerSpec);
      RecordType<DynamicRecord> order = DynamicRecord.type(orderSpec);
      RecordSpace space =
          RecordSpace.open(database, Schema.of(1, List.of(customer, order), List.of()), ROOT);
      customers = space.store(customer);
      orders = space.store(order);
    }

    void customer(long id) {
      database.run(tx -> customers.save(tx, DynamicRecord.of(customerSpec).with("id", id)));
    }

    void order(long id, long customer) {
      database.run(tx -> orders.save(tx, newOrder(id).with("customer", customer)));
    }

    DynamicRecord newOrder(long id) {
      return DynamicRecord.of(orderSpec).with("id", id);
    }

    DynamicRecord loadOrder(long id) {
      Optional<DynamicRecord> order = database.read(tx -> orders.load(tx, id));
      return order.orElseThrow();
    }

    boolean deleteCustomer(long id) {
      return database.<Boolean, RuntimeException>transact(tx -> customers.delete(tx, id));
    }
  }
}
