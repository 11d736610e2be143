package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.Join;
import dev.tidemark.records.query.Pair;
import dev.tidemark.records.query.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records with those that they refer to. */
class JoinTest {
  private final Database database = EmbeddedDatabase.inMemory();
  private final Shelf shelf = new Shelf(database);

  @BeforeEach
  void fill() {
    shelf.fill(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private List<String> pairs(Join<Pair<DynamicRecord, DynamicRecord>> join) {
    return database.read(
        tx ->
            join.list(tx).stream()
                .map(pair -> pair.left().value(1) + " " + pair.right().value(2))
                .toList());
  }

  @Test
  void eachRecordComesWithTheOneItRefersTo() {
    Query<DynamicRecord> orders = shelf.orders.query().orderBy(Shelf.NUMBER);
    assertThat(pairs(orders.join(Shelf.REFERENCE, shelf.customers.query())))
        .containsExactly("10 Ben", "11 Cy", "12 Ann", "13 Ben", "14 Cy");
    assertThat(pairs(orders.join(Shelf.REFERENCE, shelf.customers.query()).offset(1).limit(2)))
        .containsExactly("11 Cy", "12 Ann");
  }

  @Test
  void orderOfTheOtherQueryDoesNotMatter() {
    Query<DynamicRecord> byName = shelf.customers.query().orderBy(Shelf.NAME.desc());
    assertThat(pairs(shelf.orders.query().orderBy(Shelf.NUMBER).join(Shelf.REFERENCE, byName)))
        .containsExactly("10 Ben", "11 Cy", "12 Ann", "13 Ben", "14 Cy");
    assertThat(pairs(shelf.orders.query().join(Shelf.REFERENCE, byName)))
        .containsExactlyInAnyOrder("10 Ben", "11 Cy", "12 Ann", "13 Ben", "14 Cy");
  }

  @Test
  void filtersOfBothSidesHoldWhicheverIsReadFirst() {
    Query<DynamicRecord> ben = shelf.customers.query().where(Shelf.NAME.eq("Ben"));
    Query<DynamicRecord> orders = shelf.orders.query().where(Shelf.NUMBER.gt(10L));
    assertThat(pairs(orders.join(Shelf.REFERENCE, ben))).containsExactly("13 Ben");
    assertThat(pairs(orders.orderBy(Shelf.NUMBER).join(Shelf.REFERENCE, ben)))
        .containsExactly("13 Ben");
  }

  @Test
  void leftJoinKeepsRecordsWithoutAMatch() {
    Join<Pair<DynamicRecord, Optional<DynamicRecord>>> join =
        shelf
            .orders
            .query()
            .orderBy(Shelf.NUMBER.desc())
            .leftJoin(Shelf.REFERENCE, shelf.customers.query().where(Shelf.NAME.ne("Cy")));
    List<String> found =
        database.read(
            tx ->
                join.list(tx).stream()
                    .map(
                        pair ->
                            pair.left().value(1)
                                + " "
                                + pair.right().map(one -> one.value(2)).orElse("-"))
                    .toList());
    assertThat(found).containsExactly("15 -", "14 -", "13 Ben", "12 Ann", "11 -", "10 Ben");
  }

  @Test
  void manyCustomersAreReadBehindFewThatAreWanted() {
    database.run(
        tx -> {
          for (long id = 100; id < 700; id++) {
            shelf.customers.save(
                tx, DynamicRecord.of(Shelf.CUSTOMER).with("id", id).with("name", "n" + id % 7));
            shelf.orders.save(
                tx,
                DynamicRecord.of(Shelf.ORDER)
                    .with("number", 1_000 + id)
                    .with("total", id)
                    .with("customer", id));
          }
        });
    Query<DynamicRecord> some = shelf.customers.query().where(Shelf.NAME.eq("n3"));
    List<String> expected = new ArrayList<>();
    for (long id = 100; id < 700; id++) {
      if (id % 7 == 3) {
        expected.add(1_000 + id + " n3");
      }
    }
    assertThat(pairs(shelf.orders.query().join(Shelf.REFERENCE, some)))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void recordThatManyReferToIsJoinedInPortions() {
    database.run(
        tx -> {
          for (long number = 1_000; number < 1_700; number++) {
            shelf.orders.save(
                tx,
                DynamicRecord.of(Shelf.ORDER)
                    .with("number", number)
                    .with("total", number)
                    .with("customer", 4L));
          }
        });
    Query<DynamicRecord> dee = shelf.customers.query().where(Shelf.NAME.eq("Dee"));
    Join<Pair<DynamicRecord, DynamicRecord>> join = shelf.orders.query().join(Shelf.REFERENCE, dee);
    assertThat(pairs(join)).hasSize(700).doesNotHaveDuplicates().allMatch(p -> p.endsWith("Dee"));
    assertThat(pairs(join.offset(300).limit(50))).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void joinsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> shelf.customers.query().join(Shelf.NAME, shelf.orders.query()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Customer.name is STRING and cannot refer to Order");
    for (Query<DynamicRecord> other :
        List.of(shelf.customers.query().limit(1), shelf.customers.query().offset(1))) {
      assertThatThrownBy(() -> shelf.orders.query().join(Shelf.REFERENCE, other))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has a limit or an offset: give them to the join");
    }
  }

  @Test
  void joinTellsWhichSideIsReadFirst() {
    Join<?> join =
        shelf
            .orders
            .query()
            .where(Shelf.NUMBER.eq(10L))
            .join(Shelf.REFERENCE, shelf.customers.query());
    Explain explain = database.read(join::explain);
    assertThat(explain.plan().what()).isEqualTo("join");
    assertThat(explain.plan().details()).containsExactly("finds Customer by its primary key");
    assertThat(explain.plan().sources())
        .singleElement()
        .matches(node -> node.what().equals("primary key scan"));

    Query<DynamicRecord> one = shelf.customers.query().where(Shelf.ID.eq(2L));
    Explain other = database.read(shelf.orders.query().join(Shelf.REFERENCE, one)::explain);
    assertThat(other.plan().details()).containsExactly("finds Order by its index on customer");
  }
}
