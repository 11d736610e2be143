package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.maintenance.Upkeep;
import dev.tidemark.records.maintenance.UpkeepEvent;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.ChangeStreamSpec.Exclusion;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a change stream records of records that expire, and of encrypted ones. */
class ChangeExpiryTest {
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
      Schema.of(1, List.of(TYPE), List.of())
          .withStreams(
              ChangeStreamSpec.of("all").withRetention(Duration.ofHours(1)),
              ChangeStreamSpec.of("saved").withExclusions(Exclusion.TTL_DELETES));
  private static final Subspace ROOT = Subspace.of("people");

  private final ManualTime time = ManualTime.standing();
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time));
  private final RecordSpace space = RecordSpace.open(database, SCHEMA, ROOT);
  private final RecordStore<Person> people = space.store(TYPE);

  @AfterEach
  void close() {
    database.close();
  }

  private static List<String> texts(List<DataChange> changes) {
    return changes.stream()
        .map(
            change ->
                change.modType()
                    + " "
                    + change.keys().get("id")
                    + (change.isSystemTransaction() ? " by the store" : ""))
        .toList();
  }

  private List<String> changes(String stream) {
    return texts(ChangeCaptureTest.changes(space, stream));
  }

  private Person brief(long id) {
    return Person.of(id, "Oslo", 1).withExpires(time.instant());
  }

  private void save(Person person) {
    database.run(tx -> people.save(tx, person));
  }

  @Test
  void sweptRecordIsADeleteByTheStore() {
    save(brief(1));
    save(Person.of(2, "Oslo", 1));
    time.advance(Duration.ofMinutes(2));
    assertThat(changes("all")).containsExactly("INSERT 1", "INSERT 2");
    database.run(tx -> people.sweep(tx, 10));
    assertThat(changes("all")).containsExactly("INSERT 1", "INSERT 2", "DELETE 1 by the store");
    assertThat(changes("saved")).containsExactly("INSERT 1", "INSERT 2");
  }

  @Test
  void saveOverAnExpiredRecordIsADeleteByTheStoreAndAnInsert() {
    save(brief(1));
    time.advance(Duration.ofMinutes(2));
    save(Person.of(1, "Rome", 1));
    save(Person.of(1, "Bern", 1));
    assertThat(changes("all"))
        .containsExactly("INSERT 1", "DELETE 1 by the store", "INSERT 1", "UPDATE 1");
    assertThat(changes("saved")).containsExactly("INSERT 1", "INSERT 1", "UPDATE 1");
  }

  @Test
  void deleteOfAnExpiredRecordIsByTheStoreAndThatOfALivingOneIsNot() {
    save(brief(1));
    save(brief(2));
    database.run(tx -> people.delete(tx, 2L));
    time.advance(Duration.ofMinutes(2));
    database.run(tx -> people.delete(tx, 1L));
    assertThat(changes("all"))
        .containsExactly("INSERT 1", "INSERT 2", "DELETE 2", "DELETE 1 by the store");
  }

  @Test
  void upkeepRemovesOldChanges() throws InterruptedException {
    save(Person.of(1, "Oslo", 1));
    time.advance(Duration.ofHours(2));
    save(Person.of(2, "Oslo", 1));
    LinkedBlockingQueue<UpkeepEvent> events = new LinkedBlockingQueue<>();
    try (Upkeep upkeep = Upkeep.of(space, o -> o.withoutRefresh().withListener(events::add))) {
      assertThat(upkeep).isNotNull();
      UpkeepEvent event = null;
      while (!(event instanceof UpkeepEvent.Trimmed)) {
        time.advance(Duration.ofMinutes(1));
        event = events.poll(50, TimeUnit.MILLISECONDS);
      }
      assertThat(event).isEqualTo(new UpkeepEvent.Trimmed(1));
    }
    ChangeLog log = space.changes().log("all");
    String token = log.partitions().getFirst().token();
    assertThat(texts(log.read(token, log.earliest(), 10, 1000).changes()))
        .containsExactly("INSERT 2");
  }

  // ---- encryption

  private static SecretKey key(int fill) {
    byte[] bytes = new byte[16];
    bytes[0] = (byte) fill;
    return new SecretKeySpec(bytes, "AES");
  }

  private RecordSpace open(Encryption encryption) {
    return RecordSpace.open(
        database, SCHEMA, Subspace.of("secret"), o -> o.withEncryption(encryption));
  }

  private List<KeyValue> rows(Subspace place) {
    return database.read(tx -> tx.scan(place.prefixRange()).list());
  }

  @Test
  void valuesInTheLogAreEncryptedAsRecordsAre() {
    RecordSpace secret = open(Encryption.with(1, key(1)));
    Person person = Person.of(1, "the code is 4711", 1);
    database.run(tx -> secret.store(TYPE).save(tx, person));
    database.run(tx -> secret.store(TYPE).save(tx, person.withAge(2)));
    List<DataChange> found = ChangeCaptureTest.changes(secret, "all");
    assertThat(found.get(0).newRecord(TYPE)).contains(person);
    for (KeyValue row : rows(Subspace.of("secret"))) {
      assertThat(new String(row.value(), StandardCharsets.ISO_8859_1)).doesNotContain("4711");
    }

    RecordSpace without = open(Encryption.NONE);
    DataChange unreadable = ChangeCaptureTest.changes(without, "all").getFirst();
    assertThatThrownBy(unreadable::newValues)
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("key 1");
  }

  @Test
  void newKeyForTheSameValuesIsNoChange() {
    Encryption old = Encryption.with(1, key(1));
    database.run(tx -> open(old).store(TYPE).save(tx, Person.of(1, "Oslo", 1)));
    RecordSpace rotated = open(old.rotatedTo(2, key(2)));
    List<KeyValue> before = rows(Subspace.of("secret", 1));
    database.run(tx -> rotated.store(TYPE).save(tx, Person.of(1, "Oslo", 1)));
    assertThat(rows(Subspace.of("secret", 1))).isNotEqualTo(before);
    assertThat(texts(ChangeCaptureTest.changes(rotated, "all"))).containsExactly("INSERT 1");
    database.run(tx -> rotated.store(TYPE).save(tx, Person.of(1, "Rome", 1)));
    assertThat(texts(ChangeCaptureTest.changes(rotated, "all")))
        .containsExactly("INSERT 1", "UPDATE 1");
  }

  @Test
  void changeOfOneRecordIsNotTakenForThatOfAnother() {
    RecordSpace secret = open(Encryption.with(1, key(1)));
    database.run(
        tx -> {
          secret.store(TYPE).save(tx, Person.of(1, "Oslo", 1));
          secret.store(TYPE).save(tx, Person.of(2, "Rome", 1));
        });
    List<KeyValue> log = new ArrayList<>();
    for (KeyValue row : rows(Subspace.of("secret", 12))) {
      if (row.value().length > 60) {
        log.add(row);
      }
    }
    assertThat(log).hasSizeGreaterThanOrEqualTo(2);
    KeyValue one = log.get(0);
    byte[] swapped = log.get(1).value().clone();
    // Claims to be about the first record, with the content of the second.
    byte[] first = one.value();
    int keyAt = 6;
    swapped[keyAt + 1] = first[keyAt + 1];
    swapped[keyAt] = first[keyAt];
    database.run(tx -> tx.set(one.key(), swapped));
    ChangeLog reading = secret.changes().log("all");
    DataChange forged =
        reading
            .read(
                reading.partitions().getFirst().token(),
                new ChangePosition(reading.earliest().commit(), 0),
                1,
                1)
            .changes()
            .getFirst();
    assertThat(forged.keys()).containsEntry("id", 1L);
    assertThatThrownBy(forged::newValues)
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("cannot be decrypted");
  }
}
