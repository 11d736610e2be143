package dev.tidemark.records.processor.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.changes.ChangeBatch;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.ChangeStreams;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.changes.ModType;
import dev.tidemark.records.changes.PartitionBalance;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.ChangeStreamSpec.Watched;
import dev.tidemark.testkit.Guide;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/change-capture.md. */
class ChangeCaptureGuideTest {
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void declaredStreamRecordsEveryChange() {
    RecordStore<Account> accounts = AccountStore.open(database);
    database.run(tx -> accounts.save(tx, new Account(1, "Ada", 100)));
    database.run(tx -> accounts.save(tx, new Account(1, "Ada", 90)));

    ChangeLog log = accounts.space().changes().log("accounts");
    ChangePartition all = log.partitionsAt(log.earliest()).getFirst();
    ChangeBatch batch = log.read(all.token(), log.earliest(), 1_000, 1 << 20);
    DataChange second = batch.changes().get(1);
    assertThat(second.modType()).isEqualTo(ModType.UPDATE);
    assertThat(second.keys()).isEqualTo(Map.of("id", 1L));
    assertThat(second.oldValues()).isEqualTo(Map.of("balance", 100L));
    assertThat(second.newRecord(Account_.TYPE)).contains(new Account(1, "Ada", 90));
    assertThat(second.oldRecord(Account_.TYPE)).contains(new Account(1, "Ada", 100));
    assertThat(log.stream().optOut()).isTrue();

    ChangeStreamSpec owners = accounts.space().changes().log("owners").stream();
    assertThat(owners.watched()).containsExactly(new Watched("Account", Optional.of(Set.of(2))));
    assertThat(owners.retention()).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void streamIsAddedToAStoreInUse() {
    RecordStore<Book> books = BookStore.open(database);
    ChangeStreams streams = books.space().changes();
    streams.add(
        ChangeStreamSpec.of("years")
            .withWatched(Watched.fields(Book_.TYPE.spec(), "year"))
            .withRetention(Duration.ofDays(2)));
    database.run(tx -> books.save(tx, new Book(1, "978-0", "Lovelace", 1843, List.of())));
    assertThat(streams.list()).hasSize(1);
    streams.remove("years");
    assertThat(streams.list()).isEmpty();
  }

  @Test
  void transactionSaysWhatItIs() {
    RecordStore<Account> accounts = AccountStore.open(database);
    ChangeStreams streams = accounts.space().changes();
    database.run(
        tx -> {
          streams.tag(tx, "interest 2026");
          accounts.save(tx, new Account(1, "Ada", 105));
        });
    database.run(
        tx -> {
          streams.exclude(tx);
          accounts.save(tx, new Account(1, "Ada", 106));
        });
    ChangeLog log = streams.log("accounts");
    String token = log.partitions().getFirst().token();
    List<DataChange> changes = log.read(token, log.earliest(), 10, 1 << 20).changes();
    assertThat(changes).extracting(DataChange::transactionTag).containsExactly("interest 2026");
  }

  @Test
  void logIsFollowedFromParentsToChildren() throws InterruptedException {
    RecordStore<Account> accounts = AccountStore.open(database);
    ChangeLog log = accounts.space().changes().log("accounts");
    database.run(tx -> accounts.save(tx, new Account(1, "Ada", 100)));

    String token = log.partitionsAt(log.earliest()).getFirst().token();
    ChangePosition position = log.earliest();
    try (Watch news = log.watch()) {
      ChangeBatch batch = log.read(token, position, 1_000, 1 << 20);
      batch.changes().forEach(change -> copy(change.keys(), change.newValues()));
      position = batch.position();
      if (batch.changes().isEmpty() && batch.caughtUp()) {
        news.await(Duration.ofSeconds(10));
      }
    }
    assertThat(copied).isEqualTo(1);

    List<ChangePartition> halves = log.split(token, "Account", Account_.key(500));
    ChangeBatch last = log.read(token, position, 1_000, 1 << 20);
    assertThat(last.end().orElseThrow().position()).isEqualTo(halves.get(0).start());
    ChangePartition whole = log.merge(halves.get(0).token(), halves.get(1).token());
    assertThat(whole.parents()).hasSize(2);

    log.balance(PartitionBalance.DEFAULTS.withSplitAbove(5_000));
    assertThat(log.partitionsAt(log.now())).containsExactly(whole);
    assertThat(Account_.key(500)).isEqualTo(Tuple.of(500L));
  }

  private int copied;

  private void copy(Map<String, Object> keys, Map<String, ?> values) {
    assertThat(keys).containsKey("id");
    assertThat(values).containsKey("owner");
    copied++;
  }

  /** Every block of Java in the guide is code from here. */
  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/change-capture.md")
        .showsCodeOf(
            9, "tidemark-records-processor/src/test/java/dev/tidemark/records/processor/guide");
  }
}
