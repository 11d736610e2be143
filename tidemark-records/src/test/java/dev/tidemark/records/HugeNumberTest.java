package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.query.Table;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole numbers of more than 255 bytes, which a key cannot hold and a record can. */
class HugeNumberTest {
  private static final Subspace ROOT = Subspace.of("numbers");
  private static final BigInteger HUGE = BigInteger.ONE.shiftLeft(256 * 8);
  private static final FieldSpec ID = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
  private static final FieldSpec SIZE =
      new FieldSpec(2, "size", FieldType.Scalar.BIG_INTEGER, true);
  private static final FieldSpec PRICE = new FieldSpec(3, "price", FieldType.Scalar.DECIMAL, true);
  private static final RecordType<DynamicRecord> TYPE =
      DynamicRecord.type(TypeSpec.of("Number", List.of(ID, SIZE, PRICE), List.of(1)));

  private static final IndexSpec BY_SIZE =
      IndexSpec.of("by_size", "Number", IndexKind.VALUE, List.of(ColumnSpec.of(2)));

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  private RecordStore<DynamicRecord> open(int version, IndexSpec... indexes) {
    return RecordSpace.open(database, Schema.of(version, List.of(TYPE), List.of(indexes)), ROOT)
        .store(TYPE);
  }

  private void save(RecordStore<DynamicRecord> store, long id, BigInteger size) {
    DynamicRecord record =
        DynamicRecord.of(TYPE.spec())
            .with("id", id)
            .with("size", size)
            .with("price", new BigDecimal(size));
    database.run(tx -> store.save(tx, record));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT id FROM Number ORDER BY size | [[4], [2], [1], [3], [5]]",
        "SELECT id FROM Number ORDER BY size DESC | [[5], [3], [1], [2], [4]]",
        "SELECT COUNT(DISTINCT size) FROM Number | [[5]]",
        "SELECT id FROM Number WHERE size > 3 ORDER BY size | [[3], [5]]",
        "SELECT id FROM Number ORDER BY price DESC | [[5], [3], [1], [2], [4]]"
      })
  void queriesTakeNumbersThatNoKeyHolds(String sql, String rows) {
    RecordStore<DynamicRecord> store = saved();

    Table found = database.read(tx -> store.space().sql(tx, sql));
    assertThat(found.rows().toString()).isEqualTo(rows.strip());
  }

  @Test
  void groupsAndDistinctValuesMayBeNumbersThatNoKeyHolds() {
    RecordStore<DynamicRecord> store = saved();
    save(store, 6, HUGE);

    Table groups =
        database.read(
            tx -> store.space().sql(tx, "SELECT size, COUNT(*) FROM Number GROUP BY size"));
    Table distinct = database.read(tx -> store.space().sql(tx, "SELECT DISTINCT size FROM Number"));
    Table most = database.read(tx -> store.space().sql(tx, "SELECT MAX(size) FROM Number"));

    assertThat(groups.rows()).hasSize(5).contains(List.of(HUGE, 2L), List.of(HUGE.negate(), 1L));
    assertThat(distinct.rows()).hasSize(5).contains(List.of(HUGE));
    assertThat(most.rows()).containsExactly(List.of(HUGE.shiftLeft(9)));
  }

  @Test
  void buildAndSaveNameTheFieldAndTheRecordWhichCanBeRemoved() {
    RecordStore<DynamicRecord> before = open(1);
    save(before, 1, BigInteger.TWO);
    save(before, 7, HUGE);
    RecordStore<DynamicRecord> store = open(2, BY_SIZE.withSince(2));

    assertThatThrownBy(() -> build(store))
        .isInstanceOf(UnfitRecordsException.class)
        .hasMessageContaining("Number (7)")
        .hasMessageContaining("'size' is a number of 257 bytes");
    assertThatThrownBy(() -> save(store, 8, HUGE))
        .isInstanceOf(RecordTooLargeException.class)
        .hasMessageContaining("Number (8)")
        .hasMessageContaining("by_size")
        .hasMessageContaining("'size' is a number of 257 bytes");
    database.run(tx -> store.delete(tx, 7L));
    build(store);
    assertThat(Scrubber.of(store.space(), options -> options).run().wrong()).isZero();
  }

  @Test
  void descendingIndexRefusesWhatAnAscendingOneRefuses() {
    RecordStore<DynamicRecord> store =
        open(
            1,
            IndexSpec.of(
                "by_size_desc",
                "Number",
                IndexKind.VALUE,
                List.of(new ColumnSpec(ColumnSpec.of(2).path(), true))));
    save(store, 1, BigInteger.TWO);

    assertThatThrownBy(() -> save(store, 8, HUGE))
        .isInstanceOf(RecordTooLargeException.class)
        .hasMessageContaining("Number (8)")
        .hasMessageContaining("by_size_desc")
        .hasMessageContaining("'size' is a number of 257 bytes");
    assertThat(
            database.<Long, RuntimeException>read(
                tx -> store.scanIndex(tx, "by_size_desc", IndexRange.ALL).count()))
        .isOne();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "= ? | [] | false",
        "> ? | [] | true",
        "< ? | [[1]] | true",
        "<= ? | [[1]] | false",
        "<> ? | [[1]] | true"
      })
  void indexIsAskedForNumbersThatItCannotHold(String condition, String rows, boolean collected) {
    RecordStore<DynamicRecord> store = open(1, BY_SIZE);
    save(store, 1, BigInteger.TWO);
    if (collected) {
      var unused = store.space().statistics().collect();
    }

    Table found =
        database.read(
            tx -> store.space().sql(tx, "SELECT id FROM Number WHERE size " + condition, HUGE));
    assertThat(found.rows().toString()).isEqualTo(rows.strip());
  }

  @Test
  void primaryKeyNamesItsField() {
    RecordType<DynamicRecord> type =
        DynamicRecord.type(
            TypeSpec.of(
                "Big",
                List.of(new FieldSpec(1, "key", FieldType.Scalar.BIG_INTEGER, false)),
                List.of(1)));
    RecordStore<DynamicRecord> store =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), ROOT).store(type);

    assertThatThrownBy(
            () ->
                database.run(tx -> store.save(tx, DynamicRecord.of(type.spec()).with("key", HUGE))))
        .isInstanceOf(RecordTooLargeException.class)
        .hasMessageContaining("'key' is a number of 257 bytes");
  }

  /** In the order of their numbers: 4, 2, 1, 3, 5. */
  private RecordStore<DynamicRecord> saved() {
    RecordStore<DynamicRecord> store = open(1);
    save(store, 1, BigInteger.TWO);
    save(store, 2, HUGE.negate());
    save(store, 3, HUGE);
    save(store, 4, HUGE.add(BigInteger.ONE).negate());
    save(store, 5, HUGE.shiftLeft(9));
    return store;
  }

  private static void build(RecordStore<DynamicRecord> store) {
    try (OnlineIndexer indexer =
        OnlineIndexer.of(store.space(), options -> options.withIndexes("by_size"))) {
      var unused = indexer.build();
    }
  }
}
