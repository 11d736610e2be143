package dev.tidemark.records.processor.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.MigrationStatus;
import dev.tidemark.records.maintenance.Migrations;
import dev.tidemark.records.maintenance.SchemaDiff;
import dev.tidemark.records.maintenance.StatisticsReport;
import dev.tidemark.records.maintenance.Upkeep;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.Guide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/schema-evolution.md and docs/statistics.md. */
class SchemaEvolutionGuideTest {
  private static final int COUNT = 1_000;

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @BeforeEach
  void fillWithTheOldProgram() {
    RecordStore<OldClient> old = OldClientStore.open(database);
    database.run(
        tx ->
            LongStream.range(0, COUNT)
                .forEach(id -> old.save(tx, new OldClient(id, "Ada " + id, "c" + id % 4))));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void differenceIsShownBeforeAnythingHappens() {
    Subspace place =
        DirectoryLayer.DEFAULT.open(database, LayerId.NONE, "shop", "clients").subspace();
    RecordSpace stored = RecordSpace.openStored(database, place, options -> options);
    SchemaDiff diff = SchemaDiff.of(stored, Client_.SCHEMA);
    assertThat(diff.isAccepted()).isTrue();
    assertThat(diff.lines())
        .anyMatch(line -> line.startsWith("FIELD_RENAMED"))
        .anyMatch(line -> line.startsWith("INDEX_ADDED") && line.contains("1,000 records"));
    assertThat(diff.lines()).hasSize(4);
  }

  @Test
  void newProgramOpensTheStoreAndBuildsWhatIsNew() {
    RecordStore<Client> clients = ClientStore.open(database);
    Client first = database.read(tx -> clients.load(tx, 0L)).orElseThrow();
    assertThat(first.fullName()).isEqualTo("Ada 0");
    assertThat(first.level()).isEqualTo(Client.Level.BASIC);

    Map<String, IndexState> states = database.read(tx -> clients.space().indexes().states(tx));
    assertThat(states)
        .containsEntry("client_by_name", IndexState.READABLE)
        .containsEntry("client_by_level", IndexState.DISABLED);

    List<MigrationStatus> steps =
        Migrations.of(clients.space())
            .transform(
                "upper-case cities",
                Client_.TYPE,
                client ->
                    new Client(
                        client.id(),
                        client.fullName(),
                        client.city().toUpperCase(Locale.ROOT),
                        client.level()))
            .buildIndexes("index of levels", "client_by_level")
            .run();
    assertThat(steps).allMatch(step -> step.state() == MigrationStatus.State.DONE);
    assertThat(database.read(tx -> clients.load(tx, 7L)).orElseThrow().city()).isEqualTo("C3");
    assertThat(
            database.<IndexState, RuntimeException>read(
                tx -> clients.space().indexes().state(tx, "client_by_level")))
        .isEqualTo(IndexState.READABLE);
  }

  @Test
  void programThatIsTooOldIsRefused() {
    RecordSpace space = ClientStore.open(database).space();
    database.run(space::refuseOlderVersions);
    assertThatThrownBy(() -> OldClientStore.open(database))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("[version-stale]");
  }

  @Test
  void schemaIsWrittenToAFile() throws IOException {
    Path file = Files.createTempFile("client", ".schema");
    try {
      Files.write(file, Client_.SCHEMA.toBytes());
      assertThat(Schema.parse(Files.readAllBytes(file)).version()).isEqualTo(2);
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void statisticsAreCollectedShownAndRefreshed() {
    RecordSpace space = OldClientStore.open(database).space();
    StatisticsReport report = space.statistics().collect();
    StatisticsReport.Part cities = report.part("client_by_city").orElseThrow();
    assertThat(cities.rows()).isEqualTo(1_000);
    assertThat(cities.prefixes().getFirst().distinct()).isEqualTo(4);

    boolean renewed = space.statistics().refreshIfStale();
    assertThat(renewed).isFalse();
    space.statistics().collect(o -> o.withSampleRate(0.01).withBuckets(50));
    try (Upkeep upkeep = Upkeep.of(space, o -> o.withRefreshEvery(Duration.ofMinutes(30)))) {
      serve(upkeep);
    }
  }

  private static void serve(Upkeep upkeep) {
    assertThat(upkeep).isNotNull();
  }

  @Test
  void guidesShowCodeThatRuns() {
    Guide.read("docs/schema-evolution.md")
        .showsCodeOf(
            5, "tidemark-records-processor/src/test/java/dev/tidemark/records/processor/guide");
    Guide.read("docs/statistics.md")
        .showsCodeOf(
            3, "tidemark-records-processor/src/test/java/dev/tidemark/records/processor/guide");
  }
}
