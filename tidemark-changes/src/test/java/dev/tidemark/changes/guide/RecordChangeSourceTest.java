package dev.tidemark.changes.guide;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ChangeReaderException;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.StartAt;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a reader of a record store is told wrongly, and what it answers. */
class RecordChangeSourceTest {
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final MetadataStore metadata = MetadataStore.in(database, Subspace.of("readers"));
  private final RecordSpace space = space("shop", true);
  private final List<String> seen = new CopyOnWriteArrayList<>();

  private RecordSpace space(String name, boolean withStream) {
    Schema plain = Schema.of(1, List.of(Account_.TYPE), List.of());
    return RecordSpace.open(
        database,
        withStream ? plain.withStreams(ChangeStreamSpec.of("ledger")) : plain,
        Subspace.of(name));
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void save(RecordSpace where, long id) {
    RecordStore<Account> accounts = where.store(Account_.TYPE);
    database.run(tx -> accounts.save(tx, new Account(id, "Ada", id)));
  }

  private static ReaderOptions options() {
    return ReaderOptions.forRun("audit")
        .withStart(StartAt.beginning())
        .withHeartbeat(Duration.ofMillis(100))
        .withDetectionInterval(Duration.ofMillis(10));
  }

  private ChangeReader start(ChangeSource source, ReaderOptions options) {
    ChangeReader reader = ChangeReader.of(source, metadata, options);
    reader.start(
        delivery ->
            seen.add(
                delivery.change().mods().getFirst().keys().get("id").orElseThrow().toString()));
    return reader;
  }

  private static Throwable failure(ChangeReader reader) throws InterruptedException {
    EndReason end = reader.await(Duration.ofSeconds(30)).orElseThrow();
    assertThat(end).isInstanceOf(EndReason.Failed.class);
    return ((EndReason.Failed) end).cause();
  }

  @Test
  void storeWithoutAStreamIsNamedWithTheRemedy() {
    assertThatThrownBy(() -> RecordChangeSource.of(space("quiet", false), "ledger"))
        .isInstanceOf(ChangeLogException.class)
        .hasMessageContaining("no change stream 'ledger'")
        .hasMessageContaining("@ChangeStream");
  }

  @Test
  void wrongNameOfAStreamIsAnsweredWithTheNamesThatThereAre() {
    assertThatThrownBy(() -> RecordChangeSource.of(space, "legder"))
        .isInstanceOf(ChangeLogException.class)
        .hasMessageContaining("no change stream 'legder'")
        .hasMessageContaining("ledger");
  }

  @Test
  void positionOfAnotherKindOfSourceIsRefused() throws Exception {
    ChangeSource source = RecordChangeSource.of(space, "ledger");
    try (ChangeReader reader =
        start(source, options().withStart(StartAt.position(Position.parse("0102"))))) {
      assertThat(failure(reader))
          .isInstanceOf(ChangeReaderException.class)
          .hasMessageContaining("Position 0102 is not of a record store");
    }
  }

  @Test
  void positionOfAnotherStoreThatIsAheadIsRefused() throws Exception {
    Position ahead;
    try (EmbeddedDatabase other = EmbeddedDatabase.inMemory()) {
      ahead =
          RecordChangeSource.of(
                  RecordSpace.open(
                      other,
                      Schema.of(1, List.of(Account_.TYPE), List.of())
                          .withStreams(ChangeStreamSpec.of("ledger")),
                      Subspace.of("shop")),
                  "ledger")
              .now();
    }
    byte[] later = ahead.toByteArray();
    later[1] = (byte) (later[1] + 1);
    ChangeSource source = RecordChangeSource.of(space, "ledger");
    try (ChangeReader reader =
        start(source, options().withStart(StartAt.position(Position.of(later))))) {
      assertThat(failure(reader))
          .hasMessageContaining("which the store has not reached")
          .hasMessageContaining("position of another store");
    }
    assertThat(seen).isEmpty();
  }

  @Test
  void runOfOneStoreIsNotTakenForThatOfAnother() throws Exception {
    RecordSpace other = space("market", true);
    save(space, 1);
    save(other, 2);
    try (ChangeReader reader = start(RecordChangeSource.of(space, "ledger"), options())) {
      eventually("the change of the first store", () -> seen.size() == 1);
      reader.stop(Duration.ofSeconds(30));
    }
    try (ChangeReader reader = start(RecordChangeSource.of(other, "ledger"), options())) {
      assertThat(failure(reader))
          .hasMessageContaining("the token is one of another stream or store");
    }
    assertThat(seen).containsExactly("1");
  }

  @Test
  void startInTheFutureIsRefused() {
    ChangeSource source = RecordChangeSource.of(space, "ledger");
    ReaderOptions later =
        options().withStart(StartAt.time(database.time().instant().plus(Duration.ofHours(1))));
    try (ChangeReader reader = ChangeReader.of(source, metadata, later)) {
      assertThatThrownBy(() -> reader.start(delivery -> {}))
          .hasMessageContaining("Ask for a time that has come");
    }
  }

  @Test
  void startNowIsRefusedIfTheEndHasPassed() {
    ReaderOptions over =
        options()
            .withStart(StartAt.now())
            .withEnd(database.time().instant().minus(Duration.ofHours(1)));
    try (ChangeReader reader =
        ChangeReader.of(RecordChangeSource.of(space, "ledger"), metadata, over)) {
      assertThatThrownBy(() -> reader.start(delivery -> {}))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("behind its end");
    }
  }

  @Test
  void startBehindTheEndIsRefusedBeforeAnyCall() {
    Instant now = database.time().instant();
    assertThatThrownBy(() -> options().withStart(StartAt.time(now)).withEnd(now.minusSeconds(1)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("after its end");
  }
}
