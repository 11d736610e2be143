package dev.tidemark.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.copy.CopyProgress;
import dev.tidemark.kv.copy.CopyReport;
import dev.tidemark.kv.copy.StoreCopy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of whole stores, between embedded ones. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class StoreCopyTest {
  private static final int ROWS = 10_000;

  private final EmbeddedDatabase source = EmbeddedDatabase.inMemory();
  private final EmbeddedDatabase target = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    source.close();
    target.close();
  }

  private void fill() {
    Random random = new Random(7);
    for (int begin = 0; begin < ROWS; begin += 1_000) {
      int from = begin;
      source.run(
          tx -> {
            for (int row = from; row < from + 1_000; row++) {
              byte[] value = new byte[random.nextInt(300)];
              random.nextBytes(value);
              tx.set(Key.utf8("row-%06d".formatted(row)), value);
            }
          });
    }
    source.run(
        tx -> {
          tx.set(Key.EMPTY.append((byte) 0), new byte[] {1});
          for (int big = 0; big < 20; big++) {
            tx.set(Key.utf8("big-" + big), new byte[100_000]);
          }
          tx.set(Key.of((byte) 0xfe, (byte) 1), new byte[] {2});
          tx.set(Key.of((byte) 0xfd).append("tidemark/own".getBytes(UTF_8)), new byte[] {3});
          tx.set(Key.of((byte) 0xfd).append("other".getBytes(UTF_8)), new byte[] {4});
        });
  }

  private static List<KeyValue> rows(EmbeddedDatabase store) {
    return store.read(tx -> tx.scan(KeyRange.ALL).list());
  }

  private static long version(EmbeddedDatabase store) {
    return store.<Long, RuntimeException>read(ReadTransaction::readVersion);
  }

  @Test
  void copyHasAllRowsButThoseThatTheStoreKeepsForItself() {
    fill();
    List<CopyProgress> told = new ArrayList<>();
    CopyReport report = StoreCopy.of(source, target).withProgress(told::add).run();
    List<KeyValue> expected =
        rows(source).stream()
            .filter(row -> !row.key().startsWith(Key.hex("fd746964656d61726b2f")))
            .toList();
    assertThat(expected).hasSize(ROWS + 23);
    assertThat(rows(target)).isEqualTo(expected);
    assertThat(report.rows()).isEqualTo(ROWS + 23);
    assertThat(report.rowsCopied()).isEqualTo(ROWS + 23);
    assertThat(told.stream().map(CopyProgress::phase).distinct())
        .containsExactly(CopyProgress.Phase.COPYING, CopyProgress.Phase.COMPARING);
    assertThat(told.getLast().bytes()).isEqualTo(report.bytes());
  }

  @Test
  void emptyStoreIsCopiedToo() {
    assertThat(StoreCopy.of(source, target).run().rows()).isZero();
    assertThat(rows(target)).isEmpty();
  }

  @Test
  void interruptedCopyGoesOnWhereItWas() {
    fill();
    AtomicLong steps = new AtomicLong();
    AtomicLong before = new AtomicLong();
    assertThatThrownBy(
            () ->
                StoreCopy.of(source, target)
                    .withProgress(
                        told -> {
                          before.set(told.rows());
                          if (steps.incrementAndGet() == 6) {
                            throw new IllegalStateException("killed");
                          }
                        })
                    .run())
        .hasMessage("killed");
    CopyReport report = StoreCopy.of(source, target).run();
    assertThat(before.get()).isBetween(1_000L, ROWS - 1_000L);
    assertThat(report.rowsCopied()).isEqualTo(ROWS + 23 - before.get());
    assertThat(report.rows()).isEqualTo(ROWS + 23);
    StoreCopy.of(source, target).compare();
  }

  @Test
  void targetWithRowsIsRefused() {
    fill();
    target.run(tx -> tx.set(Key.of((byte) 0xfe), new byte[0]));
    assertThatThrownBy(() -> StoreCopy.of(source, target).run())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("not empty");
    assertThat(rows(target)).hasSize(1);
  }

  @Test
  void writesToTheSourceDuringTheCopyAreReported() {
    fill();
    StoreCopy behind =
        StoreCopy.of(source, target)
            .withProgress(told -> source.run(tx -> tx.set(Key.utf8("aaa"), new byte[0])));
    assertThatThrownBy(behind::run).isInstanceOf(UsageException.class).hasMessageContaining("Stop");
  }

  @Test
  void rowsThatDifferAreNamed() {
    fill();
    StoreCopy copy = StoreCopy.of(source, target);
    copy.run();
    byte[] kept = target.read(tx -> tx.get(Key.utf8("row-004000"))).orElseThrow();
    target.run(tx -> tx.set(Key.utf8("row-004000"), new byte[] {9, 9, 9}));
    assertThatThrownBy(copy::compare).hasMessageContaining("row-004000");
    target.run(tx -> tx.clear(Key.utf8("row-004000")));
    assertThatThrownBy(copy::compare).hasMessageContaining("row-004000");
    target.run(tx -> tx.set(Key.utf8("row-004000"), kept));
    copy.compare();
    target.run(tx -> tx.set(Key.utf8("row-004000x"), kept));
    assertThatThrownBy(copy::compare).hasMessageContaining("row-00400");
  }

  /** As after a way back from a cluster whose versions ran ahead of the clock. */
  @Test
  void targetWhoseVersionsAreBehindIsAdvancedForGood(@TempDir Path directory) {
    long ahead = version(source) + 1_000_000_000_000L;
    source.advanceVersion(ahead);
    assertThat(version(source)).isGreaterThan(ahead);
    fill();
    long last = version(source);
    try (EmbeddedDatabase disk = EmbeddedDatabase.open(directory)) {
      StoreCopy.of(source, disk).run();
      assertThat(version(disk)).isGreaterThan(last);
    }
    try (EmbeddedDatabase again = EmbeddedDatabase.open(directory)) {
      assertThat(version(again)).isGreaterThan(last);
      try (Transaction tx = again.begin()) {
        tx.set(Key.utf8("new"), new byte[0]);
        tx.commit();
        assertThat(tx.committedVersion()).isGreaterThan(last);
      }
    }
  }

  @Test
  void versionsDoNotRunOut() {
    assertThatThrownBy(() -> source.advanceVersion(Long.MAX_VALUE - 1))
        .isInstanceOf(UsageException.class);
  }
}
