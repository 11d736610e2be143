package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records that expire. */
class ExpiryTest {
  private static final Subspace ROOT = Subspace.of("sessions");
  private static final TypeSpec SPEC =
      new TypeSpec(
          "Person",
          Person.SPEC.fields(),
          List.of(1),
          false,
          Optional.of(new TypeSpec.Expiry(9, Duration.ofMinutes(1))),
          List.of());
  private static final RecordType<Person> TYPE =
      new RecordType<>(SPEC, Person.class, Person.TYPE.codec());
  private static final Schema SCHEMA =
      Schema.of(
          1,
          List.of(TYPE),
          List.of(Person.index("person_email", IndexKind.VALUE, "email").asUnique(false)));

  private final ManualTime time = ManualTime.standing();
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time));
  private final RecordStore<Person> people = RecordSpace.open(database, SCHEMA, ROOT).store(TYPE);
  private final List<KeyValue> empty = contents();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void expiredRecordVanishesFromReadsAtOnce() {
    save(Person.of(1, "Tokyo", 1).withExpires(now()));
    save(Person.of(2, "Tokyo", 2));
    time.advance(Duration.ofSeconds(59));
    assertThat(ids()).containsExactly(1L, 2L);

    time.advance(Duration.ofSeconds(1));
    assertThat(ids()).containsExactly(2L);
    assertThat(load(1)).isEmpty();
    boolean found = database.<Boolean, RuntimeException>transact(tx -> people.delete(tx, 1L));
    assertThat(found).as("a delete of an expired record finds none").isFalse();
  }

  @Test
  void recordThatExpiresAtTheEndOfTimeIsKept() {
    save(Person.of(1, "Tokyo", 1).withExpires(Instant.MAX));

    assertThat(ids()).containsExactly(1L);
    assertThat(sweep(10)).isZero();
    database.run(tx -> people.delete(tx, 1L));
    assertThat(contents()).isEqualTo(empty);
  }

  @Test
  void sweepRemovesExpiredRecordsWithTheirEntriesAndNoOthers() {
    for (long id = 0; id < 10; id++) {
      save(Person.of(id, "Tokyo", 1).withExpires(now().plusSeconds(id)));
    }
    save(Person.of(100, "Tokyo", 1));
    time.advance(Duration.ofSeconds(64));

    assertThat(sweep(3)).isEqualTo(3);
    assertThat(sweep(100)).isEqualTo(2);
    assertThat(sweep(100)).isZero();
    assertThat(ids()).containsExactly(5L, 6L, 7L, 8L, 9L, 100L);
    time.advance(Duration.ofMinutes(1));
    database.run(tx -> people.delete(tx, 100L));
    assertThat(sweep(100)).isEqualTo(5);
    assertThat(contents()).isEqualTo(empty);
  }

  @Test
  void expiredRecordDoesNotStandInTheWayOfAnInsertOrAUniqueValue() {
    save(Person.of(1, "Tokyo", 1).withExpires(now()));
    assertThatThrownBy(() -> save(Person.of(2, "Kyoto", 2).withEmail("p1@example.com")))
        .isInstanceOf(UniquenessException.class);
    time.advance(Duration.ofMinutes(2));

    save(Person.of(2, "Kyoto", 2).withEmail("p1@example.com"));
    database.run(tx -> people.insert(tx, Person.of(1, "Osaka", 3).withEmail("new")));
    assertThat(ids()).containsExactly(1L, 2L);
  }

  @Test
  void insertInThePlaceOfAnExpiredRecordTakesNothingOver() {
    save(Person.of(1, "Tokyo", 1).withExpires(now()));
    KeyValue row = records().getFirst();
    RecordWriter newer = new RecordWriter();
    newer.string(99, "future");
    byte[] field = newer.toByteArray();
    byte[] value = Arrays.copyOf(row.value(), row.value().length + field.length);
    System.arraycopy(field, 0, value, row.value().length, field.length);
    database.run(tx -> tx.set(row.key(), value));
    time.advance(Duration.ofMinutes(2));

    Person next = Person.of(1, "Osaka", 3).withExpires(now());
    database.run(tx -> people.insert(tx, next));
    RecordWriter expected = new RecordWriter();
    TYPE.codec().write(next, expected);
    byte[] stored = records().getFirst().value();
    assertThat(Arrays.copyOfRange(stored, 1, stored.length)).isEqualTo(expected.toByteArray());
  }

  @Test
  void expiredRecordForbidsNothingAndOneThatIsReferredToDoesNotStopTheSweep() {
    FieldSpec id = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
    FieldSpec until = new FieldSpec(2, "until", FieldType.Scalar.INSTANT, true);
    FieldSpec parent = new FieldSpec(3, "parent", FieldType.Scalar.LONG, true);
    TypeSpec node =
        new TypeSpec(
            "Node",
            List.of(id, until, parent),
            List.of(1),
            false,
            Optional.of(new TypeSpec.Expiry(2, Duration.ZERO)),
            List.of(new TypeSpec.Relation(3, "Node", DeleteRule.RESTRICT)));
    RecordType<DynamicRecord> type = DynamicRecord.type(node);
    RecordStore<DynamicRecord> nodes =
        RecordSpace.open(database, Schema.of(1, List.of(type), List.of()), Subspace.of("nodes"))
            .store(type);
    database.run(
        tx -> {
          for (long expired = 1; expired <= 5; expired++) {
            nodes.save(
                tx,
                DynamicRecord.of(node).with("id", expired).with("until", now().plusNanos(expired)));
          }
          nodes.save(tx, DynamicRecord.of(node).with("id", 6L).with("parent", 1L));
          nodes.save(tx, DynamicRecord.of(node).with("id", 7L));
          nodes.save(
              tx, DynamicRecord.of(node).with("id", 8L).with("parent", 7L).with("until", now()));
        });
    time.advance(Duration.ofSeconds(1));

    boolean deleted = database.<Boolean, RuntimeException>transact(tx -> nodes.delete(tx, 7L));
    assertThat(deleted).as("only an expired record refers to it").isTrue();
    int first = database.<Integer, RuntimeException>transact(tx -> nodes.sweep(tx, 2));
    int second = database.<Integer, RuntimeException>transact(tx -> nodes.sweep(tx, 100));
    assertThat(List.of(first, second)).containsExactly(2, 3);
    database.run(tx -> nodes.delete(tx, 6L));
    int last = database.<Integer, RuntimeException>transact(tx -> nodes.sweep(tx, 100));
    assertThat(last).as("nobody refers to it any more").isEqualTo(1);
  }

  private Instant now() {
    return database.time().instant();
  }

  private void save(Person person) {
    database.run(tx -> people.save(tx, person));
  }

  private Optional<Person> load(long id) {
    return database.read(tx -> people.load(tx, id));
  }

  private List<Long> ids() {
    return database.read(tx -> people.scan(tx).map(Person::id).toList());
  }

  private int sweep(int max) {
    return database.<Integer, RuntimeException>transact(tx -> people.sweep(tx, max));
  }

  private List<KeyValue> records() {
    return database.read(tx -> tx.scan(ROOT.sub(1).prefixRange()).list());
  }

  private List<KeyValue> contents() {
    return database.read(tx -> tx.scan(ROOT.prefixRange()).list());
  }

  @Test
  void expiredRecordVanishesFromQueriesAlsoWhereAnIndexCoversThem() {
    save(Person.of(1, "Tokyo", 1).withExpires(now()));
    save(Person.of(2, "Tokyo", 2));
    Query<Person> all = people.query();
    Query<Person> byEmail = people.query().where(PersonFields.EMAIL.startsWith("p"));
    time.advance(Duration.ofSeconds(59));
    assertThat(counts(all, byEmail)).containsExactly(2L, 2L);

    time.advance(Duration.ofSeconds(1));
    assertThat(counts(all, byEmail)).containsExactly(1L, 1L);
    List<Person> left = database.read(byEmail::list);
    assertThat(left).extracting(Person::id).containsExactly(2L);
  }

  private List<Long> counts(Query<Person> first, Query<Person> second) {
    return database.read(tx -> List.of(first.count(tx), second.count(tx)));
  }
}
