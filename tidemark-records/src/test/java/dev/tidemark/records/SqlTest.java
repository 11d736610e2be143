package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.Table;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.ManualTime;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries as text, in a space that is opened without the program that made it. */
class SqlTest {
  private final Database database = EmbeddedDatabase.inMemory();
  private RecordSpace space = new Shelf(database).space;

  @BeforeEach
  void fill() {
    new Shelf(database).fill(database);
    space = RecordSpace.openStored(database, Shelf.ROOT, options -> options);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Table sql(String text) {
    return database.read(tx -> space.sql(tx, text));
  }

  private List<String> rows(String text) {
    return sql(text).rows().stream().map(Object::toString).toList();
  }

  @Test
  void recordsAreFilteredSortedAndCutOff() {
    assertThat(
            rows(
                "select number, total from Order where total between 110 and 140 and not state ="
                    + " 'NEW' order by number desc"))
        .containsExactly("[13, 130]", "[11, 110]");
    assertThat(rows("SELECT number FROM Order WHERE number IN (10, 12) OR customer IS NULL"))
        .containsExactlyInAnyOrder("[10]", "[12]", "[15]");
    assertThat(
            rows("SELECT number FROM Order WHERE customer <> 1 ORDER BY number LIMIT 2 OFFSET 1"))
        .containsExactly("[11]", "[13]");
    assertThat(rows("SELECT name FROM Customer WHERE name LIKE '_e%' ORDER BY name"))
        .containsExactly("[Ben]", "[Dee]");
    assertThat(rows("SELECT number FROM Order WHERE tags CONTAINS 'it''s'"))
        .containsExactly("[12]");
    assertThat(
            rows(
                "SELECT o.number AS n FROM Order o ORDER BY o.customer NULLS LAST, o.number DESC;"))
        .containsExactly("[12]", "[13]", "[10]", "[14]", "[11]", "[15]");
  }

  @Test
  void starIsAllFields() {
    Table table = sql("SELECT * FROM Order WHERE number = 12");
    assertThat(table.columns())
        .containsExactly("number", "customer", "total", "state", "tags", "day");
    assertThat(table.rows().getFirst().toString())
        .isEqualTo("[12, 1, 120, NEW, [gift, it's], null]");
  }

  @Test
  void groupsAreCountedAndSorted() {
    assertThat(
            rows(
                "SELECT customer, COUNT(*), SUM(total), AVG(total) FROM Order GROUP BY customer"
                    + " HAVING COUNT(*) > 1 OR customer = 1 ORDER BY SUM(total) DESC"))
        .containsExactly("[3, 2, 250, 125.0]", "[2, 2, 230, 115.0]", "[1, 1, 120, 120.0]");
    assertThat(rows("SELECT COUNT(*), MIN(number), MAX(state), COUNT(customer) FROM Order"))
        .containsExactly("[6, 10, PAID, 5]");
    assertThat(rows("SELECT COUNT(*) FROM Order WHERE number > 99")).containsExactly("[0]");
    assertThat(rows("SELECT DISTINCT state FROM Order ORDER BY state LIMIT 1"))
        .containsExactly("[NEW]");
  }

  @Test
  void columnOfAGroupMayBeWrittenInAnotherWay() {
    assertThat(rows("SELECT State, COUNT(*) FROM Order GROUP BY state ORDER BY STATE"))
        .containsExactly("[NEW, 3]", "[PAID, 3]");
    assertThat(rows("SELECT o.state, COUNT(*) FROM Order o GROUP BY state ORDER BY state"))
        .containsExactly("[NEW, 3]", "[PAID, 3]");
  }

  @Test
  void typesAreJoined() {
    assertThat(
            rows(
                "SELECT number, name FROM Order JOIN Customer ON customer = Customer.id"
                    + " WHERE total > 100 AND name <> 'Cy' ORDER BY number"))
        .containsExactly("[12, Ann]", "[13, Ben]");
    assertThat(
            rows(
                "SELECT name, o.number FROM Customer c JOIN Order o ON c.id = o.customer"
                    + " ORDER BY o.number LIMIT 1"))
        .containsExactly("[Ben, 10]");
    assertThat(
            rows(
                "SELECT number, name FROM Order LEFT JOIN Customer ON Order.customer = Customer.id"
                    + " WHERE number > 13 ORDER BY number"))
        .containsExactly("[14, Cy]", "[15, null]");
  }

  /** An index has no trailing zeros, so no query shows them. */
  @Test
  void valuesOfAJoinAreThoseOfAPlainQuery() {
    TypeSpec spec =
        TypeSpec.of(
            "Part",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(2, "whole", FieldType.Scalar.LONG, true),
                new FieldSpec(3, "price", FieldType.Scalar.DECIMAL, true)),
            List.of(1));
    RecordType<DynamicRecord> type = DynamicRecord.type(spec);
    space =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), Subspace.of("parts"));
    DynamicRecord part =
        DynamicRecord.of(spec)
            .with("id", 1L)
            .with("whole", 1L)
            .with("price", new BigDecimal("1.50"));
    database.run(tx -> space.store(type).save(tx, part));

    assertThat(rows("SELECT price FROM Part")).containsExactly("[1.5]");
    assertThat(rows("SELECT p.price, w.price FROM Part p JOIN Part w ON p.whole = w.id"))
        .containsExactly("[1.5, 1.5]");
  }

  @Test
  void whereOfALeftJoinIsAskedOfThePairs() {
    String join = "SELECT number, name FROM Order LEFT JOIN Customer c ON Order.customer = c.id ";
    assertThat(rows(join + "WHERE c.name = 'Ben' ORDER BY number"))
        .containsExactly("[10, Ben]", "[13, Ben]");
    assertThat(rows(join + "WHERE c.id IS NULL")).containsExactly("[15, null]");
    assertThat(rows(join + "WHERE NOT c.name = 'Cy' ORDER BY number LIMIT 2 OFFSET 1"))
        .containsExactly("[12, Ann]", "[13, Ben]");
    assertThat(rows(join + "WHERE (c.name IS NULL OR c.name = 'Cy') ORDER BY number OFFSET 1"))
        .containsExactly("[14, Cy]", "[15, null]");
  }

  @Test
  void nestedFieldIsFoundUnderTheNumberOfTheFieldThatHoldsIt() {
    FieldType.Nested address =
        new FieldType.Nested(
            "Address", List.of(new FieldSpec(1, "street", FieldType.Scalar.STRING, true)));
    TypeSpec parcel =
        TypeSpec.of(
            "Parcel",
            List.of(
                new FieldSpec(1, "address", address, true),
                new FieldSpec(2, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(3, "tags", new FieldType.ListOf(FieldType.Scalar.STRING), false)),
            List.of(2));
    RecordType<DynamicRecord> type = DynamicRecord.type(parcel);
    space =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), Subspace.of("parcels"));
    DynamicRecord sent =
        DynamicRecord.of(parcel)
            .with("id", 1L)
            .with("tags", List.of("a"))
            .with("address", DynamicRecord.of(address).with("street", "Main"));
    DynamicRecord kept = DynamicRecord.of(parcel).with("id", 2L).with("tags", List.of());
    database.run(
        tx -> {
          space.store(type).save(tx, sent);
          space.store(type).save(tx, kept);
        });
    assertThat(rows("SELECT address.street, tags FROM Parcel ORDER BY id"))
        .containsExactly("[Main, [a]]", "[null, []]");
  }

  @Test
  void namesOfAnyLettersAndNumbersWithSignedExponentsAreWhole() {
    TypeSpec spec =
        TypeSpec.of(
            "Straße",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(2, "größe", FieldType.Scalar.DOUBLE, true)),
            List.of(1));
    RecordType<DynamicRecord> type = DynamicRecord.type(spec);
    space =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), Subspace.of("streets"));
    for (long id = 1; id <= 3; id++) {
      DynamicRecord street = DynamicRecord.of(spec).with("id", id).with("größe", id / 100_000.0);
      database.run(tx -> space.store(type).save(tx, street));
    }

    assertThat(rows("SELECT id FROM Straße WHERE größe = 1e-5")).containsExactly("[1]");
    assertThat(rows("SELECT id FROM straße s WHERE s.GRÖßE > 1.5E-5 AND größe < +2.5e-5"))
        .containsExactly("[2]");
    assertThat(rows("SELECT COUNT(*) FROM Straße WHERE größe < 1E+1")).containsExactly("[3]");
  }

  @Test
  void textsMayBeLong() {
    String text = "x''y".repeat(50_000);
    assertThat(rows("SELECT name FROM Customer WHERE name = '" + text + "'")).isEmpty();
    assertThat(IndexFilter.parse(Shelf.CUSTOMER, "name = '" + text + "'").comparisons()).hasSize(1);
  }

  @Test
  void tablesAreForPeople() {
    assertThat(sql("SELECT number, state FROM Order WHERE number < 12 ORDER BY number").toString())
        .isEqualTo(
            """
            number | state
            -------+------
            10     | NEW
            11     | PAID
            (2 rows)\
            """);
  }

  @Test
  void plansAreExplained() {
    assertThat(sql("EXPLAIN SELECT * FROM Order WHERE customer = 1").toString())
        .contains("order_customer");
    assertThat(sql("EXPLAIN SELECT customer, COUNT(*) FROM Order GROUP BY customer").toString())
        .contains("groups from aggregate indexes")
        .contains("read from order_count");
  }

  @Test
  void linesOfAPlanAreWhole() {
    String last = "customer IN (1, 2, 3) AND number <> 1234567890123456789";
    assertThat(
            sql("EXPLAIN SELECT * FROM Order WHERE customer > 0 AND number > -1234567890123 AND "
                    + last)
                .toString())
        .contains("1234567890123456789")
        .doesNotContain("…");
  }

  @Test
  void plansThatAreExplainedAreThoseThatAreRun() {
    assertThat(sql("EXPLAIN SELECT DISTINCT customer FROM Order WHERE customer > 1").toString())
        .contains("covering scan order_customer");
    assertThat(
            sql("EXPLAIN SELECT customer, MAX(number) FROM Order WHERE customer > 1"
                    + " GROUP BY customer")
                .toString())
        .contains("groups")
        .contains("covering scan order_customer");
    String join = "EXPLAIN SELECT name FROM Order %s Customer c ON customer = c.id WHERE c.id = 2";
    assertThat(sql(join.formatted("JOIN")).toString())
        .contains("primary key scan")
        .contains("finds Order by its index on customer");
    assertThat(sql(join.formatted("LEFT JOIN")).toString()).doesNotContain("left join");
    assertThat(sql(join.formatted("LEFT JOIN").replace("= 2", "IS NULL")).toString())
        .contains("left join")
        .contains("finds Customer by its primary key");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT * FORM Order | 19 | FROM",
        "SELECT number FROM Orders | 19 | there are [Customer, Order]",
        "SELECT nummer FROM Order | 7 | there are [number, customer,",
        "SELECT tags.x FROM Order | 7 | 'tags' has no fields",
        "SELECT number FROM Order WHERE total > 'x' | 39 | such as 42",
        "SELECT number FROM Order WHERE total = NULL | 39 | IS NULL",
        "SELECT number FROM Order WHERE tags = 'a' | 31 | CONTAINS",
        "SELECT number FROM Order WHERE COUNT(*) > 1 | 31 | HAVING",
        "SELECT number FROM Order LIMIT -1 | 31 | whole number",
        "SELECT number FROM Order WHERE state = 'OLD' | 39 | NEW, PAID",
        "SELECT name FROM Customer WHERE name LIKE 'C:\\temp%' | 42 | stands before none of",
        "SELECT number, COUNT(*) FROM Order | 7 | GROUP BY",
        "SELECT SUM(state) FROM Order | 11 | added up",
        "SELECT number FROM Order HAVING number > 12 | 25 | WHERE",
        "SELECT DISTINCT COUNT(*) FROM Order GROUP BY state | 7 | DISTINCT",
        "SELECT number FROM Order WHERE state = 'NEW | 39 | no end",
        "SELECT number FROM Order ORDER BY number number | 41 | should end",
        "SELECT state, COUNT(*) FROM Order GROUP BY state ORDER BY total | 58 | neither",
        "SELECT COUNT(*) FROM Order ORDER BY number | 36 | neither",
        "SELECT state, COUNT(*) FROM Order GROUP BY state HAVING total > 1 | 56 | WHERE",
        "SELECT COUNT(*) FROM Order HAVING COUNT(*) > 1 AND tags CONTAINS 'x' | 51 | WHERE",
        "SELECT number FROM Order ORDER BY tags | 34 | no single value",
        "SELECT order FROM Order | 7 | double quotes",
        "SELECT SUM(DISTINCT total) FROM Order | 11 | Only COUNT",
        "SELECT name FROM Customer WHERE name = 5 | 39 | quotes"
      })
  void mistakesAreShownWhereTheyAre(String text, int position, String advice) {
    assertThatThrownBy(() -> sql(text))
        .isInstanceOfSatisfying(
            SqlException.class, wrong -> assertThat(wrong.position()).isEqualTo(position))
        .hasMessageContaining(advice);
  }

  @Test
  void parametersStandForValuesInTheOrderOfTheText() {
    Table found =
        database.read(
            tx ->
                space.sql(
                    tx,
                    "SELECT number FROM Order -- of some\n"
                        + "WHERE number /* these */ IN (?, ?) ORDER BY number LIMIT ?",
                    12,
                    10L,
                    5));

    assertThat(found.rows().toString()).isEqualTo("[[10], [12]]");
    assertThatThrownBy(() -> sql("SELECT number FROM Order WHERE number = ?"))
        .isInstanceOf(SqlException.class)
        .hasMessageContaining("0 values are given");
    assertThatThrownBy(() -> sql("SELECT number\nFROM Orders"))
        .hasMessageContaining("line 2, at 6");
  }

  @Test
  @SuppressWarnings("NullAway") // what a program may do that is not checked for nulls
  void parameterThatIsNullIsRefusedWhereItStands() {
    assertThatThrownBy(
            () ->
                database.read(
                    tx -> space.sql(tx, "SELECT number FROM Order WHERE state = ?", (Object) null)))
        .isInstanceOfSatisfying(
            SqlException.class, wrong -> assertThat(wrong.position()).isEqualTo(39))
        .hasMessageContaining("IS NULL")
        .satisfies(wrong -> assertThat(wrong.getMessage()).containsOnlyOnce("(at 40)"));
  }

  @Test
  @SuppressWarnings("NullAway") // what a program may do that is not checked for nulls
  void limitThatIsNullIsNoNumber() {
    assertThatThrownBy(
            () ->
                database.read(
                    tx -> space.sql(tx, "SELECT number FROM Order LIMIT ?", (Object) null)))
        .isInstanceOf(SqlException.class)
        .hasMessageContaining("LIMIT is a whole number");
  }

  @Test
  void wholeNumbersAreParametersForEveryNumber() {
    TypeSpec spec =
        TypeSpec.of(
            "Part",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                new FieldSpec(2, "weight", FieldType.Scalar.DOUBLE, true),
                new FieldSpec(3, "price", FieldType.Scalar.DECIMAL, true),
                new FieldSpec(4, "serial", FieldType.Scalar.BIG_INTEGER, true)),
            List.of(1));
    RecordType<DynamicRecord> type = DynamicRecord.type(spec);
    space =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), Subspace.of("parts"));
    DynamicRecord part =
        DynamicRecord.of(spec)
            .with("id", 1L)
            .with("weight", 2.0)
            .with("price", new BigDecimal("2"))
            .with("serial", BigInteger.TWO);
    database.run(tx -> space.store(type).save(tx, part));

    Table found =
        database.read(
            tx ->
                space.sql(
                    tx,
                    "SELECT id FROM Part WHERE weight = ? AND price = ? AND serial = ?",
                    2,
                    2L,
                    2));
    assertThat(found.rows()).hasSize(1);
    Table heavy =
        database.read(
            tx -> space.sql(tx, "SELECT id, AVG(id) AS a FROM Part GROUP BY id HAVING a > ?", 0));
    assertThat(heavy.rows()).hasSize(1);
  }

  @Test
  void parameterOfAnotherTypeIsRefusedWithTheValuesThatTheFieldHas() {
    assertThatThrownBy(
            () ->
                database.read(
                    tx -> space.sql(tx, "SELECT number FROM Order WHERE state = ?", "OLD")))
        .isInstanceOfSatisfying(
            SqlException.class, wrong -> assertThat(wrong.position()).isEqualTo(39))
        .hasMessageContaining("The parameter is enum State [NEW, PAID]; OLD is");
    assertThatThrownBy(
            () ->
                database.read(
                    tx -> space.sql(tx, "SELECT number FROM Order WHERE number = ?", 1, 2)))
        .hasMessageContaining("one parameter, and 2 values");
  }

  @Test
  void namesOfTheQueryAndDifferentValuesAreUnderstood() {
    assertThat(rows("SELECT COUNT(*) AS many, state FROM Order GROUP BY state ORDER BY many DESC"))
        .isEqualTo(rows("SELECT COUNT(*), state FROM Order GROUP BY state ORDER BY COUNT(*) DESC"));
    assertThat(rows("SELECT state, COUNT(*) AS many FROM Order GROUP BY state HAVING many > 1"))
        .isEqualTo(rows("SELECT state, COUNT(*) FROM Order GROUP BY state HAVING COUNT(*) > 1"));
    assertThat(rows("SELECT COUNT(DISTINCT state) FROM Order"))
        .containsExactly("[%d]".formatted(rows("SELECT DISTINCT state FROM Order").size()));
  }

  @Test
  void parenthesesWithoutEndAreRefused() {
    String deep = "(".repeat(100_000);

    assertThatThrownBy(() -> sql("SELECT number FROM Order WHERE " + deep + "number = 1"))
        .isInstanceOf(SqlException.class)
        .hasMessageContaining("levels");
    assertThat(
            sql("SELECT number FROM Order WHERE " + "(".repeat(50) + "number < 0" + ")".repeat(50))
                .rows())
        .isEmpty();
  }

  /** As many rows as several portions of a scan and several pages of a long read. */
  private static final int MANY = 5_000;

  private static RecordSpace many(Database database) {
    Schema schema =
        Schema.of(1, List.of(Person.TYPE), List.of(Person.index("by_age", IndexKind.VALUE, "age")));
    RecordSpace space = RecordSpace.open(database, schema, Subspace.of("many"));
    RecordStore<Person> people = space.store(Person.TYPE);
    for (long first = 0; first < MANY; first += 500) {
      LongStream batch = LongStream.range(first, first + 500);
      database.run(tx -> batch.forEach(id -> people.save(tx, Person.of(id, "Oslo", (int) id))));
    }
    return space;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, age FROM Person",
        "SELECT id FROM Person ORDER BY age DESC",
        "SELECT * FROM Person ORDER BY age",
        "SELECT DISTINCT age FROM Person ORDER BY age"
      })
  void rowsAreReadAsTheyAreTaken(String text) {
    RecordSpace people = many(database);
    Transaction tx = database.begin();
    try (Stream<List<@Nullable Object>> rows = people.sql(text).stream(tx)) {
      Iterator<List<@Nullable Object>> taken = rows.iterator();
      taken.next();
      tx.close();
      assertThatThrownBy(() -> taken.forEachRemaining(row -> {}))
          .isInstanceOf(DatabaseException.class);
    }
  }

  /** Each page takes longer than a transaction lives. */
  @Test
  void longAnswerIsReadInManyTransactions() {
    ManualTime time = ManualTime.standing();
    try (Database slow = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      RecordSpace people = many(slow);
      String text = "SELECT id, city FROM Person WHERE age >= 0 ORDER BY age DESC LIMIT 4500";
      List<List<@Nullable Object>> rows =
          people
              .sql(text)
              .autoContinue()
              .peek(
                  row -> {
                    if ((Long) row.getFirst() % 900 == 0) {
                      time.advance(Duration.ofSeconds(6));
                    }
                  })
              .toList();
      Table whole = slow.read(tx -> people.sql(tx, text));
      assertThat(rows).hasSize(4_500).isEqualTo(whole.rows());
      assertThat(people.sql(text).columns()).containsExactly("id", "city");
      assertThat(people.sql("SELECT COUNT(*) FROM Person").autoContinue().toList())
          .containsExactly(List.of((long) MANY));
    }
  }

  @Test
  void valuesOfALongReadAreThoseOfAnAnswer() {
    String text = "SELECT * FROM Order ORDER BY number";
    assertThat(space.sql(text).autoContinue().toList()).isEqualTo(sql(text).rows());
  }

  @Test
  void printedRowsAreThoseOfTheTable() {
    String text = "SELECT * FROM Order ORDER BY number";
    List<String> lines = new ArrayList<>();
    space.sql(text).print(lines::add);
    assertThat(String.join("\n", lines)).isEqualTo(sql(text).toString());
  }
}
