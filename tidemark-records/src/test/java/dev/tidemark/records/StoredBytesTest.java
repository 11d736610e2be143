package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.maintenance.Migrations;
import dev.tidemark.records.schema.Schema;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How records are kept: whole, in pieces, compressed, encrypted. */
class StoredBytesTest {
  private static final Schema SCHEMA = Schema.of(1, List.of(Person.TYPE), List.of());
  private static final Subspace ROOT = Subspace.of("people");
  private static final SecretKey FIRST = key("0123456789abcdef");
  private static final SecretKey SECOND = key("fedcba9876543210");

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void recordBeyondTheValueLimitIsKeptInPiecesAndJoined() {
    RecordStore<Person> people = open(options -> options);
    Person large = Person.of(1, "Tokyo", 1).withTags("x".repeat(250_000));
    save(people, large);
    save(people, Person.of(2, "Tokyo", 2));

    assertThat(load(people, 1)).contains(large);
    List<Person> all = database.read(tx -> people.scan(tx).toList());
    assertThat(all).containsExactly(large, Person.of(2, "Tokyo", 2));
    assertThat(rows()).hasSize(2 + 5);
  }

  @Test
  void recordOfJustTheValueLimitIsKeptWhole() {
    RecordStore<Person> people = open(options -> options);
    int others =
        encodedSize(people, Person.of(1, "Tokyo", 1).withTags("x".repeat(50_000))) - 50_000;
    Person fits = Person.of(1, "Tokyo", 1).withTags("x".repeat(100_000 - others));
    Person doesNot = Person.of(2, "Tokyo", 1).withTags("x".repeat(100_001 - others));
    save(people, fits);
    assertThat(rows()).hasSize(2 + 1);
    save(people, doesNot);
    assertThat(rows()).hasSize(2 + 1 + 2);

    assertThat(load(people, 1)).contains(fits);
    assertThat(load(people, 2)).contains(doesNot);
  }

  @Test
  void shrunkRecordLeavesNoPieceBehind() {
    RecordStore<Person> people = open(options -> options);
    save(people, Person.of(1, "Tokyo", 1).withTags("x".repeat(250_000)));
    save(people, Person.of(1, "Tokyo", 1));

    assertThat(rows()).hasSize(2 + 1);
    database.run(tx -> people.delete(tx, 1L));
    assertThat(rows()).hasSize(2);
  }

  @Test
  void missingPieceIsAnErrorAndNeverAShorterRecord() {
    RecordStore<Person> people = open(options -> options);
    save(people, Person.of(1, "Tokyo", 1).withTags("x".repeat(250_000)));
    Key piece = rows().stream().map(KeyValue::key).toList().get(2);
    database.run(tx -> tx.clear(piece));

    assertThatThrownBy(() -> load(people, 1))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("Person (1)")
        .hasMessageContaining("pieces");
  }

  @Test
  void damagedNoteAboutPiecesIsReportedAsDamage() {
    RecordStore<Person> people = open(options -> options);
    save(people, Person.of(1, "Tokyo", 1).withTags("x".repeat(250_000)));
    KeyValue main = records().getFirst();
    byte[] length = main.value();
    length[length.length - 4] = (byte) 0xff;

    for (byte[] damaged : List.of(Arrays.copyOf(main.value(), 3), new byte[] {4}, length)) {
      database.run(tx -> tx.set(main.key(), damaged));
      assertThatThrownBy(() -> load(people, 1))
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("Person (1)");
    }
  }

  @Test
  void compressionIsUsedWhereItHelpsAndEitherFormIsRead() {
    RecordStore<Person> plain = open(options -> options);
    RecordStore<Person> compressed = open(options -> options.withCompression(true));
    Person repetitive = Person.of(1, "Tokyo", 1).withTags("x".repeat(90_000));
    save(compressed, repetitive);
    save(plain, Person.of(2, "Tokyo", 2));
    save(compressed, Person.of(3, "Q", 3));

    assertThat(largestValue()).isLessThan(1_000);
    for (RecordStore<Person> store : List.of(plain, compressed)) {
      assertThat(load(store, 1)).contains(repetitive);
      assertThat(load(store, 2)).contains(Person.of(2, "Tokyo", 2));
      assertThat(load(store, 3)).contains(Person.of(3, "Q", 3));
    }
  }

  @Test
  void compressedRecordIsReadWhateverTheReaderMaySaveAtMost() {
    RecordStore<Person> large =
        open(options -> options.withCompression(true).withRecordBytesMax(4 << 20));
    RecordStore<Person> small =
        open(options -> options.withCompression(true).withRecordBytesMax(1_000));
    Person repetitive = Person.of(1, "Tokyo", 1).withTags("x".repeat(3 << 20));
    save(large, repetitive);

    assertThat(load(small, 1)).contains(repetitive);
    assertThatThrownBy(() -> save(small, repetitive.withCity("Kyoto")))
        .isInstanceOf(RecordTooLargeException.class);
  }

  @Test
  void compressedRecordThatSaysItIsLongerThanItsBytesCanMakeIsDamaged() {
    RecordStore<Person> people = open(options -> options.withCompression(true));
    save(people, Person.of(1, "Tokyo", 1).withTags("x".repeat(90_000)));
    KeyValue row = records().getFirst();
    for (int length : new int[] {-1, 1_032 * row.value().length, Integer.MAX_VALUE}) {
      byte[] damaged = row.value();
      ByteBuffer.wrap(damaged).putInt(1, length);
      database.run(tx -> tx.set(row.key(), damaged));
      assertThatThrownBy(() -> load(people, 1))
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("Person (1)")
          .hasMessageContaining("says it has %,d bytes".formatted(length));
    }
  }

  /** It would be stored as a question mark. */
  @Test
  void textWithHalfASurrogatePairIsRefusedWithItsField() {
    RecordStore<Person> people = open(options -> options);
    Person.Address address = new Person.Address("Storgata", "12\udc00");

    assertThatThrownBy(() -> save(people, Person.of(1, "Os\ud83dlo", 1)))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("A Person cannot be saved")
        .hasMessageContaining("'city' has half a surrogate pair at index 2");
    assertThatThrownBy(() -> save(people, Person.of(1, "Oslo", 1).withTags("a", "\ud83d")))
        .hasMessageContaining("'tags' has half a surrogate pair at index 0");
    assertThatThrownBy(() -> save(people, Person.of(1, "Oslo", 1).withAddress(address)))
        .hasMessageContaining("'address.zip' has half a surrogate pair at index 2");
    assertThat(records()).isEmpty();

    Person whole = Person.of(1, "\ud83d\ude00?\ud83d\ude00", 1);
    save(people, whole);
    assertThat(load(people, 1)).contains(whole);
  }

  @Test
  void encryptedRecordsShowNothingAndSurviveANewKey() {
    Encryption old = Encryption.with(1, FIRST);
    RecordStore<Person> before = open(options -> options.withEncryption(old));
    RecordStore<Person> after =
        open(options -> options.withEncryption(old.rotatedTo(2, SECOND)).withCompression(true));
    save(before, Person.of(1, "Tokyo", 1));
    save(after, Person.of(2, "Tokyo", 2));

    assertThat(load(after, 1)).contains(Person.of(1, "Tokyo", 1));
    assertThat(load(after, 2)).contains(Person.of(2, "Tokyo", 2));
    assertThat(records())
        .noneMatch(row -> new String(row.value(), StandardCharsets.ISO_8859_1).contains("Tokyo"));
    assertThatThrownBy(() -> load(before, 2))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("key 2");
  }

  @Test
  void saveOfAnUnchangedRecordGivesItTheCurrentKey() {
    Person person = Person.of(1, "Tokyo", 1);
    Encryption old = Encryption.with(1, FIRST);
    RecordStore<Person> plain = open(options -> options);
    RecordStore<Person> before = open(options -> options.withEncryption(old));
    RecordStore<Person> after = open(options -> options.withEncryption(old.rotatedTo(2, SECOND)));
    RecordStore<Person> withoutOld =
        open(options -> options.withEncryption(Encryption.with(2, SECOND)));
    save(plain, person);

    save(before, person);
    assertThat(records())
        .noneMatch(row -> new String(row.value(), StandardCharsets.ISO_8859_1).contains("Tokyo"));
    save(after, person);
    assertThat(load(withoutOld, 1)).contains(person);
    List<KeyValue> encrypted = records();
    save(after, person);
    assertThat(records()).as("nothing is written again").isEqualTo(encrypted);
  }

  @Test
  void encryptionIsTakenBackByAMigrationThatReturnsRecordsAsTheyAre() {
    Encryption key = Encryption.with(1, FIRST);
    save(open(options -> options.withEncryption(key)), Person.of(1, "Tokyo", 1));
    RecordSpace off =
        RecordSpace.open(database, SCHEMA, ROOT, options -> options.withEncryption(key.off()));
    assertThat(load(off.store(Person.TYPE), 1)).contains(Person.of(1, "Tokyo", 1));

    Migrations.of(off).transform("decrypt", Person.TYPE, person -> person).run();

    RecordStore<Person> plain = open(options -> options);
    assertThat(load(plain, 1)).contains(Person.of(1, "Tokyo", 1));
    List<KeyValue> decrypted = records();
    Migrations.of(off).transform("again", Person.TYPE, person -> person).run();
    assertThat(records()).as("a migration saves only what it changes").isEqualTo(decrypted);
  }

  @Test
  void encryptedRecordCannotBePutInThePlaceOfAnother() {
    RecordStore<Person> people = open(options -> options.withEncryption(Encryption.with(1, FIRST)));
    save(people, Person.of(1, "Tokyo", 1));
    save(people, Person.of(2, "Kyoto", 2));
    List<KeyValue> rows = records();
    database.run(tx -> tx.set(rows.get(1).key(), rows.get(0).value()));

    assertThatThrownBy(() -> load(people, 2))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("cannot be decrypted");
  }

  @Test
  void fieldsOfANewerProgramSurviveASaveByAnOlderOne() {
    RecordStore<Person> people = open(options -> options);
    save(people, Person.of(1, "Tokyo", 1).withAddress(new Person.Address("s", "z")));
    KeyValue row = records().getFirst();
    RecordWriter newer = new RecordWriter();
    newer.string(99, "future");
    newer.raw(content(row));
    byte[] stored = newer.toByteArray();
    byte[] value = new byte[1 + stored.length];
    System.arraycopy(stored, 0, value, 1, stored.length);
    database.run(tx -> tx.set(row.key(), value));

    save(people, load(people, 1).orElseThrow().withCity("Kyoto"));

    RecordReader reader = new RecordReader(content(records().getFirst()));
    String found = null;
    for (int number = reader.next(); number != 0; number = reader.next()) {
      if (number == 99) {
        found = reader.string();
      } else {
        reader.skip();
      }
    }
    assertThat(found).isEqualTo("future");
    assertThat(load(people, 1)).map(Person::city).contains("Kyoto");
  }

  /** What follows the byte that says how a record is kept. */
  private static byte[] content(KeyValue row) {
    return Arrays.copyOfRange(row.value(), 1, row.value().length);
  }

  private RecordStore<Person> open(UnaryOperator<StoreOptions> change) {
    return RecordSpace.open(database, SCHEMA, ROOT, change).store(Person.TYPE);
  }

  private void save(RecordStore<Person> people, Person person) {
    database.run(tx -> people.save(tx, person));
  }

  private Optional<Person> load(RecordStore<Person> people, long id) {
    return database.read(tx -> people.load(tx, id));
  }

  private static int encodedSize(RecordStore<Person> people, Person person) {
    RecordWriter out = new RecordWriter();
    people.type().codec().write(person, out);
    return out.size() + 1;
  }

  private List<KeyValue> rows() {
    return database.read(tx -> tx.scan(ROOT.prefixRange()).list());
  }

  private List<KeyValue> records() {
    return database.read(tx -> tx.scan(ROOT.sub(1).prefixRange()).list());
  }

  private int largestValue() {
    return records().stream().mapToInt(row -> row.value().length).max().orElseThrow();
  }

  private static SecretKey key(String bytes) {
    return new SecretKeySpec(bytes.getBytes(StandardCharsets.US_ASCII), "AES");
  }
}
