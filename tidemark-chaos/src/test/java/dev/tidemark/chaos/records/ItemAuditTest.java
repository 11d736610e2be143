package dev.tidemark.chaos.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.chaos.run.Findings;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The auditor of items is worth something only if it notices what is broken by hand. */
class ItemAuditTest {
  /** Where a store keeps the entries of its indexes; see docs/formats. */
  private static final Subspace ENTRIES = Subspace.of("items", 2);

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final RecordStore<Item> store = Items.open(database);
  private final List<Message.Acknowledged> acknowledged = new ArrayList<>();

  @BeforeEach
  void saveThreeItems() {
    for (int sequence = 1; sequence <= 3; sequence++) {
      Item item = Item.draw(sequence, new SplittableRandom(sequence));
      try (Transaction tx = database.begin()) {
        store.save(tx, item);
        Journal.write(tx, 0, sequence, List.of(new Journal.Step.Saved(item)));
        tx.commit();
        acknowledged.add(new Message.Acknowledged(0, sequence, tx.versionstamp()));
      }
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void findsNothingWhereNothingIsWrong() {
    assertThat(audit().problems()).isEmpty();
  }

  @Test
  void findsAnAcknowledgedCommitThatIsMissing() {
    acknowledged.add(new Message.Acknowledged(5, 1, Versionstamp.of(7, 0, 0)));
    assertThat(audit().lostCount()).isEqualTo(1);
  }

  @Test
  void findsAnItemThatNobodyDeleted() {
    database.run(tx -> store.delete(tx, 2L));
    assertThat(audit().lostCount()).isEqualTo(1);
  }

  @Test
  void findsAnItemThatChangedWithoutALine() {
    database.run(tx -> store.save(tx, Item.draw(2, new SplittableRandom(9))));
    assertThat(audit().tornCount()).isEqualTo(1);
  }

  @Test
  void findsAnItemThatWasSavedAgainAsItWas() {
    database.run(tx -> store.save(tx, store.load(tx, 2L).orElseThrow()));
    assertThat(audit().tornCount()).as("another version").isEqualTo(1);
  }

  @Test
  void findsAGapInTheLinesOfAWriter() {
    database.run(tx -> tx.clear(Subspace.of("journal").pack(0, 2L)));
    assertThat(audit().problems()).anyMatch(problem -> problem.contains("after number 1"));
  }

  @Test
  void findsEveryEntryThatAnIndexLacks() {
    List<KeyValue> rows = database.read(tx -> tx.scan(ENTRIES.prefixRange()).list());
    assertThat(rows).hasSizeGreaterThan(Item_.SCHEMA.indexes().size());
    for (KeyValue row : rows) {
      database.run(tx -> tx.clear(row.key()));
      assertThat(audit().clean()).as("without %s", row.key()).isFalse();
      database.run(tx -> tx.set(row.key(), row.value()));
    }
    assertThat(audit().problems()).isEmpty();
  }

  private Findings audit() {
    return ItemAudit.of(database, acknowledged);
  }
}
