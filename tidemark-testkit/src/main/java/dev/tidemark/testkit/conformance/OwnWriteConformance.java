package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction's own writes in its reads. */
abstract class OwnWriteConformance extends ConformanceSuite {
  OwnWriteConformance(DatabaseConformance engine) {
    super(engine);
  }

  @Test
  void ownSetIsRead() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      write(tx, "a=2 b=3");
      assertThat(text(tx.get(key("a")))).isEqualTo("2");
      assertThat(text(tx.get(key("b")))).isEqualTo("3");
      assertThat(tx.getAll(List.of(key("b"), key("a"))).keySet())
          .containsExactly(key("b"), key("a"));
    }
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void ownClearIsRead() {
    given("a=1 b=2 c=3");
    try (Transaction tx = db.begin()) {
      tx.clear(key("a"));
      tx.clear(range("b", "c"));
      assertThat(text(tx.get(key("a")))).isEqualTo("absent");
      assertThat(text(tx.get(key("b")))).isEqualTo("absent");
      assertThat(tx.getAll(List.of(key("a"), key("b"), key("c")))).containsOnlyKeys(key("c"));
      assertThat(rows(tx.scan(KeyRange.ALL))).isEqualTo("c=3");
    }
  }

  @Test
  void lastWriteOfAKeyCounts() {
    given("a=0 b=0 c=0");
    try (Transaction tx = db.begin()) {
      write(tx, "a=1 b=1");
      tx.clear(KeyRange.ALL);
      write(tx, "b=2 d=2");
      tx.clear(key("d"));
      assertThat(rows(tx.scan(KeyRange.ALL))).isEqualTo("b=2");
      tx.commit();
    }
    assertThat(stored()).isEqualTo("b=2");
  }

  @Test
  void ownMutationIsRead() {
    db.run(tx -> tx.set(key("n"), number(40)));
    try (Transaction tx = db.begin()) {
      tx.mutate(MutationType.ADD, key("n"), number(2));
      tx.mutate(MutationType.ADD, key("m"), number(7));
      assertThat(tx.get(key("n"))).hasValue(number(42));
      assertThat(tx.getAll(List.of(key("n"))).get(key("n"))).isEqualTo(number(42));
      assertThat(tx.scan(KeyRange.ALL).list())
          .containsExactly(new KeyValue(key("m"), number(7)), new KeyValue(key("n"), number(42)));
      tx.mutate(MutationType.COMPARE_AND_CLEAR, key("n"), number(42));
      assertThat(tx.get(key("n"))).isEmpty();
      assertThat(tx.scan(KeyRange.ALL).reverse().list())
          .containsExactly(new KeyValue(key("m"), number(7)));
      tx.commit();
    }
    assertThat(value(key("n"))).isEmpty();
  }

  @Test
  void writesBeforeTheFirstReadAreReadToo() {
    given("a=1 b=2");
    try (Transaction tx = db.begin()) {
      tx.clear(key("a"));
      write(tx, "c=3");
      assertThat(rows(tx.scan(KeyRange.ALL))).isEqualTo("b=2 c=3");
    }
  }

  @Test
  void snapshotReadsSeeOwnWrites() {
    given("a=1 b=2");
    try (Transaction tx = db.begin()) {
      tx.clear(key("a"));
      write(tx, "c=3");
      ReadTransaction snapshot = tx.snapshot();
      assertThat(rows(snapshot.scan(KeyRange.ALL))).isEqualTo("b=2 c=3");
      assertThat(text(snapshot.get(key("c")))).isEqualTo("3");
      assertThat(snapshot.getAll(List.of(key("a"), key("c")))).containsOnlyKeys(key("c"));
    }
  }

  @ParameterizedTest
  @EnumSource(ScanMode.class)
  void everyLimitSeesOwnWritesInBothDirections(ScanMode mode) {
    given("a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8");
    try (Transaction tx = db.begin()) {
      tx.clear(key("a"));
      write(tx, "b=B bb=new d=D");
      tx.clear(range("e", "g"));
      write(tx, "f=F");
      tx.mutate(MutationType.APPEND_IF_FITS, key("h"), bytes("!"));
      tx.mutate(MutationType.APPEND_IF_FITS, key("i"), bytes("?"));
      List<String> all = List.of("b=B", "bb=new", "c=3", "d=D", "f=F", "g=7", "h=8!", "i=?");
      for (int limit = 1; limit <= all.size() + 1; limit++) {
        int count = Math.min(limit, all.size());
        Scan scan = tx.scan(KeyRange.ALL).mode(mode).limit(limit);
        assertThat(rows(scan)).isEqualTo(String.join(" ", all.subList(0, count)));
        assertThat(rows(scan.reverse()))
            .isEqualTo(String.join(" ", all.reversed().subList(0, count)));
      }
    }
  }

  @Test
  void longRunOfOwnClearsIsSkipped() {
    db.run(
        tx -> {
          for (int i = 0; i < 2_000; i++) {
            tx.set(key("k%05d".formatted(i)), bytes("x"));
          }
          write(tx, "a=1 z=2");
        });
    try (Transaction tx = db.begin()) {
      for (int i = 0; i < 2_000; i++) {
        tx.clear(key("k%05d".formatted(i)));
      }
      assertThat(rows(tx.scan(KeyRange.ALL).limit(2))).isEqualTo("a=1 z=2");
      assertThat(rows(tx.scan(KeyRange.ALL).reverse().limit(2))).isEqualTo("z=2 a=1");
      assertThat(rows(tx.scan(range("k", "l")))).isEmpty();
    }
  }

  @Test
  void ownRowsBetweenManyStoredOnesComeInOrder() {
    db.run(
        tx -> {
          for (int i = 0; i < 2_000; i += 2) {
            tx.set(key("k%05d".formatted(i)), new byte[100]);
          }
        });
    try (Transaction tx = db.begin()) {
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        String name = "k%05d".formatted(i);
        if (i % 2 == 1) {
          tx.set(key(name), new byte[100]);
        } else if (i % 6 == 0) {
          tx.clear(key(name));
          continue;
        }
        expected.add(name);
      }
      assertThat(names(tx.scan(KeyRange.ALL).mode(ScanMode.SMALL))).isEqualTo(expected);
      assertThat(names(tx.scan(KeyRange.ALL).mode(ScanMode.SMALL).reverse()))
          .isEqualTo(expected.reversed());
    }
  }

  private static List<String> names(Scan scan) {
    return scan.stream().map(row -> name(row.key())).toList();
  }

  @Test
  void writesDuringAnIterationDoNotDisturbIt() {
    given("a=1 b=2 c=3 d=4");
    try (Transaction tx = db.begin()) {
      List<String> seen = new ArrayList<>();
      for (KeyValue row : tx.scan(KeyRange.ALL).mode(ScanMode.SMALL)) {
        seen.add(name(row.key()));
        tx.clear(row.key());
      }
      assertThat(seen).isEqualTo(Arrays.asList("a", "b", "c", "d"));
      assertThat(rows(tx.scan(KeyRange.ALL))).isEmpty();
    }
  }

  @Test
  void transactionKnowsWhetherItHasSomethingToCommit() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      tx.get(key("a"));
      tx.addReadConflict(key("b"));
      tx.clear(range("c", "c"));
      tx.addWriteConflict(range("c", "c"));
      tx.nextWriteWithoutConflict();
      assertThat(tx.hasWrites()).isFalse();
    }
    Key stamped = key("x").append(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
    List<TransactionAction<RuntimeException>> writes =
        List.of(
            tx -> tx.clear(key("x")),
            tx -> tx.clear(range("x", "y")),
            tx -> tx.mutate(MutationType.ADD, key("x"), number(0)),
            tx -> tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, stamped, bytes("")),
            tx -> tx.addWriteConflict(key("x")));
    for (TransactionAction<RuntimeException> write : writes) {
      try (Transaction tx = db.begin()) {
        write.accept(tx);
        assertThat(tx.hasWrites()).isTrue();
      }
    }
  }
}
