package dev.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.remote.RemoteDatabase;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records of a served store expire by the store's time, whatever the clocks of its clients say. */
class ServedExpiryTest {
  private static final FieldSpec ID = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
  private static final FieldSpec UNTIL = new FieldSpec(2, "until", FieldType.Scalar.INSTANT, true);
  private static final RecordType<DynamicRecord> TYPE =
      DynamicRecord.type(
          new TypeSpec(
              "Session",
              List.of(ID, UNTIL),
              List.of(1),
              false,
              Optional.of(new TypeSpec.Expiry(2, Duration.ZERO)),
              List.of()));

  private final ManualTime store = ManualTime.standing();
  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory(o -> o.withTime(store));
  private final DatabaseServer server = DatabaseServer.open(served);

  @AfterEach
  void close() {
    server.close();
    served.close();
  }

  @Test
  void clientWhoseClockIsAheadSweepsAndHidesNoLivingRecord() {
    ManualTime machine = ManualTime.standing();
    machine.advance(Duration.ofDays(2));
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri(), o -> o.withTime(machine))) {
      RecordStore<DynamicRecord> sessions = open(client);
      Instant now = store.instant();
      save(sessions, 1, now.plusSeconds(60));
      save(sessions, 2, now);

      assertThat(count(sessions)).isOne();
      int swept = client.transact(tx -> sessions.sweep(tx, 100));
      assertThat(swept).isOne();
      assertThat(count(sessions)).isOne();
      assertThat(stored()).isOne();

      store.advance(Duration.ofSeconds(60));
      machine.advance(Duration.ofSeconds(60));
      assertThat(count(sessions)).isZero();
    }
  }

  @Test
  void clientWhoseClockIsBehindSeesNoExpiredRecord() {
    ManualTime machine = ManualTime.standing();
    store.advance(Duration.ofDays(2));
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri(), o -> o.withTime(machine))) {
      RecordStore<DynamicRecord> sessions = open(client);
      save(sessions, 1, store.instant().minusSeconds(3_600));

      assertThat(count(sessions)).isZero();
      int swept = client.transact(tx -> sessions.sweep(tx, 100));
      assertThat(swept).isOne();
      assertThat(stored()).isZero();
    }
  }

  private static RecordStore<DynamicRecord> open(Database database) {
    return RecordSpace.open(
            database, Schema.of(1, List.of(TYPE), List.of()), Subspace.of("sessions"))
        .store(TYPE);
  }

  private static void save(RecordStore<DynamicRecord> sessions, long id, Instant until) {
    DynamicRecord session = DynamicRecord.of(TYPE.spec()).with("id", id).with("until", until);
    sessions.space().database().run(tx -> sessions.save(tx, session));
  }

  private static long count(RecordStore<DynamicRecord> sessions) {
    return sessions.space().database().read(tx -> sessions.query().count(tx));
  }

  /** How many records are in the store, expired or not. */
  private long stored() {
    return served.read(tx -> tx.scan(Subspace.of("sessions").sub(1).prefixRange()).list().size());
  }
}
