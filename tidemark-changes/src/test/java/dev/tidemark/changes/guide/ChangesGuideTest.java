package dev.tidemark.changes.guide;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.ChangeIterator;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.Lineage;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.StartAt;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.Guide;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of docs/changes.md, and the record store as a source. */
class ChangesGuideTest {
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final Schema schema =
      Schema.of(1, List.of(Account_.TYPE), List.of())
          .withStreams(ChangeStreamSpec.of("ledger").withCapture(CaptureType.NEW_ROW));
  private final RecordSpace space = RecordSpace.open(database, schema, Subspace.of("bank"));
  private final RecordStore<Account> accounts = space.store(Account_.TYPE);
  private final ChangeSource source = RecordChangeSource.of(space, "ledger");
  private final MetadataStore metadata = MetadataStore.in(database, Subspace.of("readers"));

  @AfterEach
  void close() {
    database.close();
  }

  private static ReaderOptions quick(String run) {
    return ReaderOptions.forRun(run)
        .withStart(StartAt.beginning())
        .withHeartbeat(Duration.ofMillis(100))
        .withDetectionInterval(Duration.ofMillis(10))
        .withFlushInterval(Duration.ofMillis(10));
  }

  private void save(long id, String owner, long balance) {
    database.run(tx -> accounts.save(tx, new Account(id, owner, balance)));
  }

  @Test
  void handlerSeesEachChange() throws Exception {
    audit();
  }

  private void audit() throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    database.run(tx -> accounts.save(tx, new Account(1, "Ada", 100)));

    ReaderOptions options = ReaderOptions.forRun("audit").withStart(StartAt.beginning());
    try (ChangeReader reader = ChangeReader.of(source, metadata, options)) {
      reader.start(
          delivery -> {
            Account account =
                RecordChangeSource.newRecord(delivery.change(), Account_.TYPE).orElseThrow();
            seen.add(delivery.change().modType() + " " + account.owner() + " " + account.balance());
          });
      database.run(tx -> accounts.save(tx, new Account(1, "Ada", 70)));
      eventually("both changes", () -> seen.size() == 2);
      reader.stop(Duration.ofSeconds(30));
    }
    assertThat(seen).containsExactly("INSERT Ada 100", "UPDATE Ada 70");
  }

  @Test
  void nextReaderGoesOnWhereTheLastOneStopped() throws Exception {
    audit();
    save(2, "Bo", 5);
    ReaderOptions options = ReaderOptions.forRun("audit");
    try (ChangeReader reader = ChangeReader.of(source, metadata, options)) {
      ChangeIterator changes = reader.iterate();
      assertThat(changes.next().change().mods().getFirst().keys().get("id")).contains(2L);
    }
  }

  @Test
  void effectsTakePlaceExactlyOnce() throws Exception {
    Key total = Subspace.of("totals").pack("deposits");
    for (long id = 1; id <= 50; id++) {
      save(id, "Ada", id);
    }
    ReaderOptions options = quick("totals").withEnd(database.time().instant());
    try (ChangeReader reader = ChangeReader.of(source, metadata, options)) {
      reader.startTransactional(
          (tx, batch) ->
              batch
                  .changes()
                  .forEach(
                      change -> {
                        long balance =
                            (long)
                                change.mods().getFirst().newValues().get("balance").orElseThrow();
                        tx.mutate(MutationType.ADD, total, littleEndian(balance));
                      }));
      assertThat(reader.await()).isInstanceOf(EndReason.Completed.class);
    }
    byte[] sum = database.read(tx -> tx.get(total)).orElseThrow();
    assertThat(ByteBuffer.wrap(sum).order(ByteOrder.LITTLE_ENDIAN).getLong()).isEqualTo(1275);
  }

  private static byte[] littleEndian(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  @Test
  void lineageShowsWhoSplitIntoWhom() throws Exception {
    ChangeLog log = space.changes().log("ledger");
    String first = log.partitions().getFirst().token();
    log.split(first, "Account", Tuple.of(10L));
    try (ChangeReader reader =
        ChangeReader.of(source, metadata, quick("lineage").withEnd(database.time().instant()))) {
      reader.start(delivery -> {});
      assertThat(reader.await()).isInstanceOf(EndReason.Completed.class);
    }
    Lineage lineage = Lineage.of(metadata, "lineage");
    assertThat(lineage.childrenOf(first)).hasSize(2).allMatch(PartitionRow::isFinished);
  }

  @ParameterizedTest
  @EnumSource(OrderMode.class)
  void changesOfARecordStoreArriveCompleteAndInOrderAcrossSplitsAndMerges(OrderMode mode)
      throws Exception {
    ChangeLog log = space.changes().log("ledger");
    Map<Long, Long> latest = Collections.synchronizedMap(new HashMap<>());
    List<Long> inversions = Collections.synchronizedList(new ArrayList<>());
    List<String> ids = Collections.synchronizedList(new ArrayList<>());
    try (ChangeReader reader = ChangeReader.of(source, metadata, quick("all").withOrder(mode))) {
      reader.start(
          delivery -> {
            long id = (long) delivery.change().mods().getFirst().keys().get("id").orElseThrow();
            long balance =
                (long) delivery.change().mods().getFirst().newValues().get("balance").orElseThrow();
            Long before = latest.put(id, balance);
            if (before != null && before >= balance) {
              inversions.add(id);
            }
            ids.add(delivery.change().id());
          });
      for (int round = 1; round <= 60; round++) {
        int at = round;
        database.run(
            tx -> {
              for (long id = 0; id < 10; id++) {
                accounts.save(tx, new Account(id, "Ada", at));
              }
            });
        if (round == 20) {
          log.split(log.partitions().getLast().token(), "Account", Tuple.of(5L));
        }
        if (round == 40) {
          List<String> active =
              log.partitions().stream().filter(p -> p.isActive()).map(p -> p.token()).toList();
          log.merge(active.get(0), active.get(1));
        }
      }
      eventually("all 600 changes", () -> ids.size() >= 600);
      assertThat(reader.statistics().lag()).isPresent();
    }
    assertThat(ids).hasSize(600).doesNotHaveDuplicates();
    if (mode != OrderMode.UNORDERED) {
      assertThat(inversions).isEmpty();
    }
  }

  @Test
  void idleStoreStillMovesTheWatermark() throws Exception {
    save(1, "Ada", 1);
    try (ChangeReader reader = ChangeReader.of(source, metadata, quick("idle"))) {
      reader.start(delivery -> {});
      eventually("a watermark", () -> reader.statistics().ackWatermark().isPresent());
      var first = reader.statistics().ackWatermark().orElseThrow();
      eventually(
          "a later watermark",
          () -> reader.statistics().ackWatermark().orElseThrow().isAfter(first));
    }
  }

  @Test
  void removedStreamEndsTheReaderWithItsName() throws Exception {
    save(1, "Ada", 1);
    try (ChangeReader reader = ChangeReader.of(source, metadata, quick("gone"))) {
      reader.start(delivery -> {});
      eventually("it reads", () -> reader.statistics().records() == 1);
      space.changes().remove("ledger");
      assertThat(reader.await(Duration.ofSeconds(20)).orElseThrow())
          .isInstanceOf(EndReason.Failed.class);
    }
  }

  @Test
  void removedStoreEndsTheReaderAndIsNoOrderlyEnd() throws Exception {
    save(1, "Ada", 1);
    try (ChangeReader reader = ChangeReader.of(source, metadata, quick("removed"))) {
      reader.start(delivery -> {});
      eventually("it reads", () -> reader.statistics().records() == 1);
      database.run(tx -> tx.clear(Subspace.of("bank").prefixRange()));
      assertThat(reader.await(Duration.ofSeconds(20)).orElseThrow())
          .isInstanceOfSatisfying(
              EndReason.Failed.class,
              failed -> assertThat(failed.cause()).hasMessageContaining("gone"));
    }
  }

  @Test
  void guideShowsTheseExamples() {
    Guide.read("docs/changes.md")
        .showsCodeOf(5, "tidemark-changes/src/test/java/dev/tidemark/changes/guide");
  }
}
