package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The vectors of docs/formats/changes.md are what the code writes. */
class ChangeFormatTest {
  private static final Subspace ROOT = Subspace.of(7);
  private static final Pattern ROW =
      Pattern.compile("\\| `(1507[0-9a-m]*)` \\| `?([0-9a-m]*)`? ?\\|.*");

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  /** The ten bytes of each commit, and the letter that the page writes for them. */
  private final Map<String, String> stamps = new LinkedHashMap<>();

  @AfterEach
  void close() {
    database.close();
  }

  private static Schema schema(ChangeStreamSpec... streams) {
    return Schema.of(1, List.of(Person.TYPE), List.of()).withStreams(streams);
  }

  private static Person person(long id, String city, int age) {
    return new Person(id, null, city, age, 300, 0.5, List.of(), null, null);
  }

  private void commit(String letter, Consumer<Transaction> body) {
    try (Transaction tx = database.begin()) {
      body.accept(tx);
      tx.commit();
      stamp(letter, tx.versionstamp().toByteArray());
    }
  }

  private void stamp(String letter, byte[] stamp) {
    stamps.put(HexFormat.of().formatHex(stamp, 0, 10), letter.repeat(20));
  }

  @Test
  void rowsAreThoseOfTheFormatPage() throws IOException {
    RecordSpace space = RecordSpace.open(database, schema(ChangeStreamSpec.of("all")), ROOT);
    RecordStore<Person> people = space.store(Person.TYPE);
    ChangeLog log = space.changes().log("all");
    stamp("g", log.earliest().commit().toByteArray());
    commit(
        "h",
        tx -> {
          space.changes().tag(tx, "tag");
          people.save(tx, person(1, "Oslo", -30));
          people.save(tx, person(24, "Oslo", 5));
        });
    commit("i", tx -> people.save(tx, person(1, "Rome", -30)));
    String first = log.partitions().getFirst().token();
    stamp("j", log.split(first, "Person", Tuple.of(10L)).getFirst().start().commit().toByteArray());
    commit("k", tx -> people.delete(tx, 24L));

    assertThat(rows()).containsExactlyElementsOf(page());
  }

  private List<String> rows() {
    List<String> rows = new ArrayList<>();
    for (KeyValue row : database.read(tx -> tx.scan(ROOT.sub(12).prefixRange()).list())) {
      String text = row.key().toHex() + " " + HexFormat.of().formatHex(row.value());
      for (Map.Entry<String, String> stamp : stamps.entrySet()) {
        text = text.replace(stamp.getKey(), stamp.getValue());
      }
      rows.add(text);
    }
    return rows;
  }

  private static List<String> page() throws IOException {
    Path file = Path.of(System.getProperty("tidemark.root"), "docs/formats/changes.md");
    return Files.readAllLines(file).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> row.group(1) + " " + row.group(2))
        .toList();
  }

  @Test
  void headerHasFormatTwoExactlyWhileThereIsAStream() {
    RecordSpace space = RecordSpace.open(database, schema(), ROOT);
    assertThat(header().getInt(0)).isEqualTo(1);
    space.changes().add(ChangeStreamSpec.of("all"));
    assertThat(header().getInt(0)).isEqualTo(2);
    space.changes().remove("all");
    assertThat(header().getInt(0)).isEqualTo(1);
  }

  private Tuple header() {
    return Tuple.unpack(database.read(tx -> tx.get(ROOT.pack(0))).orElseThrow());
  }

  @Test
  void rowsOfANewerFormatAreRefused() {
    RecordSpace space = RecordSpace.open(database, schema(ChangeStreamSpec.of("all")), ROOT);
    RecordStore<Person> people = space.store(Person.TYPE);
    ChangeLog log = space.changes().log("all");
    String first = log.partitions().getFirst().token();
    database.run(tx -> people.save(tx, person(1, "Oslo", 1)));
    raise(ROOT.sub(12, 2, 4));
    assertThatThrownBy(() -> log.read(first, log.earliest(), 10, 1000))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("format 2");
    raise(ROOT.sub(12, 2, 2));
    assertThatThrownBy(log::partitions).hasMessageContaining("format 2");
    raise(ROOT.sub(12, 2, 0));
    assertThatThrownBy(log::now).hasMessageContaining("format 2");
    Key header = ROOT.pack(0);
    byte[] newer = Tuple.of(5).concat(header().subTuple(1, header().size())).pack();
    database.run(tx -> tx.set(header, newer));
    assertThatThrownBy(() -> RecordSpace.open(database, space.schema(), ROOT))
        .hasMessageContaining("format 5");
  }

  /** Has the first row of {@code place} say that it is of format 2. */
  private void raise(Subspace place) {
    database.run(
        tx -> {
          KeyValue row = tx.scan(place.prefixRange()).first().orElseThrow();
          byte[] value = row.value().clone();
          value[0] = 2;
          tx.set(row.key(), value);
        });
  }
}
