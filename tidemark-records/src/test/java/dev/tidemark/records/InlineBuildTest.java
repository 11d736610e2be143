package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** New indexes over few records, which are built while a store is opened if that is no risk. */
class InlineBuildTest {
  private static final Subspace ROOT = Subspace.of("people");
  private static final Logger LOGGER = Logger.getLogger(RecordSpace.class.getName());

  private final EmbeddedDatabase database =
      EmbeddedDatabase.inMemory(o -> o.withTime(ManualTime.selfAdvancing()));
  private final List<String> logged = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          logged.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void close() {
    LOGGER.removeHandler(handler);
    database.close();
  }

  @Test
  void indexWhoseEntriesWouldNotFitATransactionIsDisabledAndTheStoreOpens() {
    fill(40, 9_000);
    RecordSpace space = open(2, Person.index("by_tag", IndexKind.VALUE, "tags"));

    assertThat(state(space, "by_tag")).isEqualTo(IndexState.DISABLED);
    assertThat(entries()).isEmpty();
    assertThat(logged).singleElement().asString().contains("'by_tag'").contains("OnlineIndexer");
  }

  @Test
  void indexesShareWhatOneTransactionMayTake() {
    fill(4, 6_000);
    RecordSpace space =
        open(
            2,
            Person.index("first", IndexKind.VALUE, "tags"),
            Person.index("second", IndexKind.VALUE, "tags", "age"),
            Person.index("third", IndexKind.VALUE, "tags", "city"));

    assertThat(state(space, "first")).isEqualTo(IndexState.READABLE);
    assertThat(state(space, "second")).isEqualTo(IndexState.DISABLED);
    assertThat(state(space, "third")).isEqualTo(IndexState.DISABLED);
    assertThat(entries()).hasSize(4 * 6_000);
  }

  @Test
  void fewButLargeRecordsAreLeftToAnOnlineBuild() {
    RecordStore<Person> people = open(1).store(Person.TYPE);
    for (int id = 0; id < 12; id++) {
      Person large = Person.of(id, "Oslo", id).withTags("x".repeat(900_000));
      database.run(tx -> people.save(tx, large));
    }
    RecordSpace space = open(2, Person.index("by_city", IndexKind.VALUE, "city"));

    assertThat(state(space, "by_city")).isEqualTo(IndexState.DISABLED);
  }

  @Test
  void recordThatCannotBeReadKeepsTheIndexDisabledAndNotTheStoreShut() {
    fill(3, 1);
    KeyValue second = database.read(tx -> tx.scan(ROOT.sub(1).prefixRange()).list()).get(1);
    database.run(tx -> tx.set(second.key(), new byte[] {0, 0x1a, 0x7f}));
    RecordSpace space = open(2, Person.index("by_city", IndexKind.VALUE, "city"));

    assertThat(state(space, "by_city")).isEqualTo(IndexState.DISABLED);
    assertThat(entries()).isEmpty();
    assertThat(logged).singleElement().asString().contains("Person (1) cannot be read");
    RecordStore<Person> people = space.store(Person.TYPE);
    Optional<Person> last = database.read(tx -> people.load(tx, 2L));
    assertThat(last).isPresent();
  }

  /** The third attempt that is too slow would be the last one. */
  @Test
  void storeThatDoesNotOpenInTimeIsOpenedWithoutBuilds() {
    fill(3, 1);
    IndexSpec index = Person.index("by_tag", IndexKind.VALUE, "tags");
    Schema schema = Schema.of(2, List.of(Person.TYPE), List.of(index));
    FaultyDatabase slow =
        FaultyDatabase.over(database, FaultPlan.first(Fault.TOO_OLD, Fault.TOO_OLD));
    RecordSpace space = RecordSpace.open(slow, schema, ROOT);

    assertThat(state(space, "by_tag")).isEqualTo(IndexState.DISABLED);
    assertThat(entries()).isEmpty();
    assertThat(logged).hasSize(1);
  }

  @Test
  void recordThatDoesNotFitTheIndexIsNamedInTheLog() {
    RecordStore<Person> people = open(1).store(Person.TYPE);
    database.run(tx -> people.save(tx, Person.of(7, "x".repeat(20_000), 1)));
    RecordSpace space = open(2, Person.index("by_city", IndexKind.VALUE, "city"));

    assertThat(state(space, "by_city")).isEqualTo(IndexState.DISABLED);
    assertThat(logged).singleElement().asString().contains("Person (7)").contains("20,0");
  }

  @Test
  void indexThatIsBuiltIsNotWorthAWord() {
    fill(10, 3);
    RecordSpace space = open(2, Person.index("by_tag", IndexKind.VALUE, "tags"));

    assertThat(state(space, "by_tag")).isEqualTo(IndexState.READABLE);
    assertThat(entries()).hasSize(30);
    assertThat(logged).isEmpty();
  }

  private void fill(int records, int tags) {
    RecordStore<Person> people = open(1).store(Person.TYPE);
    String[] all =
        IntStream.range(0, tags)
            .mapToObj("tag %06d of them"::formatted)
            .collect(Collectors.toList())
            .toArray(String[]::new);
    for (int id = 0; id < records; id++) {
      Person person = Person.of(id, "Oslo", id).withTags(all);
      database.run(tx -> people.save(tx, person));
    }
  }

  private RecordSpace open(int version, IndexSpec... indexes) {
    return RecordSpace.open(
        database, Schema.of(version, List.of(Person.TYPE), List.of(indexes)), ROOT);
  }

  private IndexState state(RecordSpace space, String index) {
    return database.read(tx -> space.indexes().state(tx, index));
  }

  private List<KeyValue> entries() {
    return database.read(tx -> tx.scan(ROOT.sub(2).prefixRange()).list());
  }
}
