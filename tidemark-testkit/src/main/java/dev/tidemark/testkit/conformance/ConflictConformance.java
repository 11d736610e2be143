package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.internal.Concurrently;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What conflicts, and what does not. */
abstract class ConflictConformance extends ConflictSuite {
  ConflictConformance(DatabaseConformance engine) {
    super(engine);
  }

  @Test
  void keyThatWasReadAndThenWrittenByAnotherConflicts() {
    given("a=1");
    assertConflict(tx -> tx.get(key("a")), tx -> write(tx, "a=2"));
  }

  @Test
  void writeOfTheSameValueConflictsToo() {
    given("a=1");
    assertConflict(tx -> tx.get(key("a")), tx -> write(tx, "a=1"));
  }

  @Test
  void absentKeyThatWasReadAndThenWrittenConflicts() {
    assertConflict(tx -> tx.get(key("a")), tx -> write(tx, "a=1"));
  }

  @Test
  void everyKindOfWriteConflictsWithAReader() {
    given("a=1");
    assertConflict(tx -> tx.get(key("a")), tx -> tx.clear(key("a")));
    assertConflict(tx -> tx.get(key("a")), tx -> tx.clear(KeyRange.ALL));
    assertConflict(tx -> tx.get(key("a")), tx -> tx.mutate(MutationType.ADD, key("a"), number(1)));
    assertConflict(tx -> tx.get(key("a")), tx -> tx.addWriteConflict(key("a")));
  }

  @Test
  void getAllConflictsWithWritesOfFoundAndAbsentKeys() {
    given("a=1");
    assertConflict(tx -> tx.getAll(List.of(key("a"), key("b"))), tx -> write(tx, "a=2"));
    assertConflict(tx -> tx.getAll(List.of(key("a"), key("b"))), tx -> write(tx, "b=2"));
    assertNoConflict(tx -> tx.getAll(List.of(key("a"), key("b"))), tx -> write(tx, "c=2"));
  }

  @Test
  void otherKeysDoNotConflict() {
    given("a=1 b=2");
    assertNoConflict(tx -> tx.get(key("a")), tx -> write(tx, "b=3 aa=1"));
  }

  @Test
  void commitBeforeTheReadDoesNotConflict() {
    try (Transaction tx = db.begin()) {
      given("a=1");
      tx.get(key("a"));
      write(tx, "b=1");
      tx.commit();
    }
  }

  @Test
  void blindWritesNeverConflict() {
    try (Transaction first = db.begin();
        Transaction second = db.begin()) {
      first.readVersion();
      second.readVersion();
      write(first, "a=1 b=1");
      write(second, "a=2");
      second.clear(key("b"));
      first.commit();
      second.commit();
      assertThat(second.committedVersion()).isGreaterThan(first.committedVersion());
    }
    assertThat(stored()).isEqualTo("a=2");
  }

  @Test
  void writeSkewIsRefused() {
    given("alice=on bob=on");
    try (Transaction alice = db.begin();
        Transaction bob = db.begin()) {
      assertThat(text(alice.get(key("bob")))).isEqualTo("on");
      assertThat(text(bob.get(key("alice")))).isEqualTo("on");
      write(alice, "alice=off");
      write(bob, "bob=off");
      alice.commit();
      assertFails(ConflictException.class, 1020, bob::commit);
    }
    assertThat(stored()).isEqualTo("alice=off bob=on");
  }

  @Test
  void readOnlyTransactionNeverConflicts() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      given("a=2");
      tx.commit();
    }
  }

  @Test
  void snapshotReadsDoNotConflict() {
    given("a=1 b=2");
    assertNoConflict(tx -> tx.snapshot().get(key("a")), tx -> write(tx, "a=2"));
    assertNoConflict(tx -> tx.snapshot().getAll(List.of(key("a"))), tx -> write(tx, "a=3"));
    assertNoConflict(tx -> tx.snapshot().scan(KeyRange.ALL).list(), tx -> write(tx, "c=2"));
    assertNoConflict(
        tx -> tx.snapshot().getKey(dev.tidemark.kv.KeySelector.firstGreaterThan(key("a"))),
        tx -> write(tx, "aa=2"));
  }

  @Test
  void snapshotReadOfAKeyThatIsAlsoReadConflicts() {
    given("a=1");
    assertConflict(
        tx -> {
          tx.snapshot().get(key("a"));
          tx.get(key("a"));
        },
        tx -> write(tx, "a=2"));
  }

  @Test
  void explicitReadConflictsConflict() {
    assertConflict(tx -> tx.addReadConflict(key("a")), tx -> write(tx, "a=1"));
    assertConflict(tx -> tx.addReadConflict(range("a", "c")), tx -> write(tx, "b=1"));
    assertConflict(tx -> tx.addReadConflict(range("a", "c")), tx -> tx.clear(range("0", "aa")));
    assertConflict(
        tx -> tx.addReadConflict(range("a", "c")), tx -> tx.addWriteConflict(range("b", "x")));
    assertNoConflict(tx -> tx.addReadConflict(key("a")), tx -> write(tx, "aa=1 Z=1"));
    assertNoConflict(tx -> tx.addReadConflict(range("a", "c")), tx -> write(tx, "c=1"));
    assertNoConflict(tx -> tx.addReadConflict(range("a", "a")), tx -> write(tx, "a=1"));
  }

  @Test
  void explicitWriteConflictsConflictWithReaders() {
    given("b=1");
    assertConflict(tx -> tx.get(key("b")), tx -> tx.addWriteConflict(range("a", "c")));
    assertConflict(tx -> tx.scan(range("a", "c")).list(), tx -> tx.addWriteConflict(key("aa")));
    assertNoConflict(tx -> tx.get(key("b")), tx -> tx.addWriteConflict(range("c", "d")));
    assertNoConflict(tx -> tx.get(key("b")), tx -> tx.addWriteConflict(range("b", "b")));
    assertThat(stored("b")).isEqualTo("1");
  }

  @Test
  void readOfAnOwnWriteDoesNotConflict() {
    given("a=1 b=2 c=3");
    assertNoConflict(
        tx -> {
          write(tx, "a=2");
          assertThat(text(tx.get(key("a")))).isEqualTo("2");
          assertThat(tx.getAll(List.of(key("a")))).hasSize(1);
        },
        tx -> write(tx, "a=3"));
    assertNoConflict(
        tx -> {
          tx.clear(key("b"));
          tx.clear(range("c", "d"));
          assertThat(tx.get(key("b"))).isEmpty();
          assertThat(tx.get(key("c"))).isEmpty();
        },
        tx -> write(tx, "b=3 c=4"));
  }

  @Test
  void readThenWriteOfTheSameKeyConflicts() {
    given("a=1");
    assertConflict(
        tx -> {
          tx.get(key("a"));
          write(tx, "a=2");
          tx.get(key("a"));
        },
        tx -> write(tx, "a=3"));
  }

  @Test
  void readOfAnOwnMutationConflictsLikeAnyRead() {
    db.run(tx -> tx.set(key("n"), number(1)));
    assertConflict(
        tx -> {
          tx.mutate(MutationType.ADD, key("n"), number(1));
          assertThat(tx.get(key("n"))).hasValue(number(2));
        },
        tx -> tx.mutate(MutationType.ADD, key("n"), number(1)));
    assertThat(value(key("n"))).hasValue(number(2));
  }

  @Test
  void clearOfARangeConflictsWithReadersInside() {
    given("b=1");
    assertConflict(tx -> tx.get(key("b")), tx -> tx.clear(range("a", "c")));
    assertConflict(tx -> tx.get(key("bb")), tx -> tx.clear(range("a", "c")));
    assertNoConflict(tx -> tx.get(key("c")), tx -> tx.clear(range("a", "c")));
    assertNoConflict(tx -> tx.get(key("0")), tx -> tx.clear(range("a", "c")));
  }

  @Test
  void refusedCommitLeavesTheStoreAsItWas() {
    given("a=1 b=2");
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      tx.clear(KeyRange.ALL);
      tx.mutate(MutationType.ADD, key("n"), number(1));
      given("a=2");
      assertFails(ConflictException.class, 1020, tx::commit);
    }
    assertThat(stored()).isEqualTo("a=2 b=2");
  }

  @Test
  void refusedCommitDoesNotMakeOthersConflict() {
    given("a=1");
    try (Transaction reader = db.begin();
        Transaction refused = db.begin()) {
      reader.get(key("b"));
      refused.get(key("a"));
      write(refused, "b=1");
      given("a=2");
      assertFails(ConflictException.class, 1020, refused::commit);
      write(reader, "c=1");
      reader.commit();
    }
    assertThat(stored()).isEqualTo("a=2 c=1");
  }

  @Test
  void incrementsByReadAndWriteAreNeverLost() throws Exception {
    Concurrently.Task task =
        () -> {
          for (int i = 0; i < 50; i++) {
            db.run(
                tx -> {
                  String value = text(tx.get(key("n")));
                  int n = value.equals("absent") ? 0 : Integer.parseInt(value);
                  tx.set(key("n"), bytes(Integer.toString(n + 1)));
                });
          }
        };
    Concurrently.run(task, task, task);
    assertThat(stored("n")).isEqualTo("150");
  }
}
