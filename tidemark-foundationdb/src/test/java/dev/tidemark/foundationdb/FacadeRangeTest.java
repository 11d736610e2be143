package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncIterable;
import com.apple.foundationdb.async.AsyncIterator;
import com.apple.foundationdb.async.AsyncUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Selectors, ranges and iterations. */
class FacadeRangeTest extends FacadeCase {
  private static final byte[] FROM = bytes("k000");
  private static final byte[] TO = bytes("k999");

  /** Large enough for several portions. */
  @BeforeEach
  void fill() {
    String filler = "x".repeat(200);
    put(
        IntStream.range(0, 500)
            .mapToObj(i -> "k%03d=%s".formatted(i, filler))
            .toArray(String[]::new));
  }

  private static List<String> keys(List<KeyValue> rows) {
    return rows.stream().map(row -> text(row.getKey())).toList();
  }

  private static List<String> keys(AsyncIterable<KeyValue> range) {
    return keys(range.asList().join());
  }

  private static List<String> names(int from, int to) {
    return IntStream.range(from, to).mapToObj("k%03d"::formatted).toList();
  }

  @ParameterizedTest
  @EnumSource(StreamingMode.class)
  void everyModeGivesTheSameRows(StreamingMode mode) {
    try (Transaction tx = db.createTransaction()) {
      for (boolean reverse : new boolean[] {false, true}) {
        AsyncIterable<KeyValue> range = tx.getRange(FROM, TO, 400, reverse, mode);
        List<KeyValue> iterated = new ArrayList<>();
        range.iterator().forEachRemaining(iterated::add);
        List<String> expected = reverse ? names(100, 500).reversed() : names(0, 400);
        assertThat(keys(range)).isEqualTo(expected);
        assertThat(keys(iterated)).isEqualTo(expected);
        assertThat(keys(AsyncUtil.collect(range).join())).isEqualTo(expected);
      }
    }
  }

  @Test
  void everyOverloadReadsTheSameRange() {
    KeySelector begin = KeySelector.firstGreaterOrEqual(FROM);
    KeySelector end = KeySelector.firstGreaterOrEqual(TO);
    Range range = new Range(FROM, TO);
    try (Transaction tx = db.createTransaction()) {
      for (ReadTransaction reads : List.of(tx, tx.snapshot())) {
        assertThat(keys(reads.getRange(FROM, TO))).isEqualTo(names(0, 500));
        assertThat(keys(reads.getRange(range))).isEqualTo(names(0, 500));
        assertThat(keys(reads.getRange(begin, end))).isEqualTo(names(0, 500));
        assertThat(keys(reads.getRange(FROM, TO, 2))).isEqualTo(names(0, 2));
        assertThat(keys(reads.getRange(range, 2))).isEqualTo(names(0, 2));
        assertThat(keys(reads.getRange(begin, end, 2))).isEqualTo(names(0, 2));
        assertThat(keys(reads.getRange(FROM, TO, 1, true))).containsExactly("k499");
        assertThat(keys(reads.getRange(range, 1, true))).containsExactly("k499");
        assertThat(keys(reads.getRange(begin, end, 1, true))).containsExactly("k499");
      }
    }
  }

  @Test
  void selectorsNameStoredKeys() {
    try (Transaction tx = db.createTransaction()) {
      assertThat(tx.getKey(KeySelector.lastLessThan(FROM)).join()).isEmpty();
      assertThat(tx.getKey(KeySelector.firstGreaterThan(FROM)).join()).isEqualTo(bytes("k001"));
      assertThat(tx.getKey(KeySelector.firstGreaterOrEqual(FROM).add(3)).join())
          .isEqualTo(bytes("k003"));
      assertThat(tx.getKey(KeySelector.firstGreaterOrEqual(TO)).join()).containsExactly(0xff);
      assertThat(
              keys(
                  tx.getRange(
                      KeySelector.lastLessOrEqual(bytes("k1005")),
                      KeySelector.firstGreaterThan(bytes("k102")))))
          .isEqualTo(names(100, 103));
    }
  }

  @Test
  void iterationThatIsAskedWithoutBlockingEndsAsWell() {
    try (Transaction tx = db.createTransaction()) {
      AsyncIterator<KeyValue> rows = tx.getRange(FROM, TO).iterator();
      List<String> seen = new ArrayList<>();
      AsyncUtil.whileTrue(
              () ->
                  rows.onHasNext()
                      .thenApply(
                          more -> {
                            if (more) {
                              seen.add(text(rows.next().getKey()));
                            }
                            return more;
                          }))
          .join();
      assertThat(seen).isEqualTo(names(0, 500));
    }
  }

  @Test
  void iterationSeesWhatWasWrittenBeforeItBegan() {
    try (Transaction tx = db.createTransaction()) {
      AsyncIterable<KeyValue> range = tx.getRange(bytes("a"), bytes("b"));
      tx.set(bytes("a1"), bytes("early"));
      AsyncIterator<KeyValue> rows = range.iterator();
      tx.set(bytes("a2"), bytes("late"));
      assertThat(text(rows.next().getKey())).isEqualTo("a1");
      assertThat(rows.hasNext()).isFalse();
    }
  }

  @Test
  void cancelledIterationGivesNoMoreRows() {
    try (Transaction tx = db.createTransaction()) {
      AsyncIterator<KeyValue> rows = tx.getRange(FROM, TO).iterator();
      assertThat(rows.hasNext()).isTrue();
      rows.cancel();
      assertThatThrownBy(rows::hasNext).isInstanceOf(CancellationException.class);
      assertThatThrownBy(rows::next).isInstanceOf(CancellationException.class);
      assertThat(rows.onHasNext()).isCompletedExceptionally();
    }
  }

  @Test
  void iterationRemovesTheRowThatCameLast() {
    try (Transaction tx = db.createTransaction()) {
      for (ReadTransaction reads : List.of(tx, tx.snapshot())) {
        AsyncIterator<KeyValue> rows = reads.getRange(FROM, TO).iterator();
        assertThatThrownBy(rows::remove).isInstanceOf(IllegalStateException.class);
        assertThat(rows.hasNext()).isTrue();
        assertThatThrownBy(rows::remove).isInstanceOf(IllegalStateException.class);
        rows.next();
        rows.next();
        rows.remove();
        rows.remove();
      }
      AsyncIterator<KeyValue> reversed = tx.getRange(FROM, TO, 1, true).iterator();
      reversed.next();
      reversed.cancel();
      reversed.remove();
      tx.commit().join();
    }
    List<String> left = new ArrayList<>(names(0, 499));
    left.removeAll(List.of("k001", "k002"));
    try (Transaction tx = db.createTransaction()) {
      assertThat(keys(tx.getRange(FROM, TO))).isEqualTo(left);
    }
  }

  @Test
  void iterationFailsLikeAWaitForAFuture() {
    try (Transaction tx = db.createTransaction()) {
      AsyncIterator<KeyValue> rows = tx.getRange(FROM, TO, -1).iterator();
      assertThat(code(rows.onHasNext())).isEqualTo(2012);
      assertThatThrownBy(rows::hasNext)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(FDBException.class);
      assertThatThrownBy(rows::next)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(FDBException.class);
    }
  }

  @Test
  void mistakesAreReportedWithTheirCodes() {
    try (Transaction tx = db.createTransaction()) {
      assertThat(code(tx.getRange(FROM, TO, 0, false, StreamingMode.EXACT).asList()))
          .isEqualTo(2210);
      assertThat(code(tx.getRange(FROM, TO, -1).asList())).isEqualTo(2012);
      assertThat(tx.getRange(TO, FROM).asList().join()).isEmpty();
      byte[] special = {(byte) 0xff, (byte) 0xff, '/'};
      assertThat(code(tx.get(special))).isEqualTo(2113);
      assertThat(code(tx.get(new byte[] {(byte) 0xff, '/'}))).isEqualTo(2004);
      tx.clear(TO, FROM);
      assertThat(code(tx.commit())).isEqualTo(2005);
    }
  }

  @Test
  void rangeReadsConflictWithInsertsIntoWhatTheySaw() {
    try (Transaction tx = db.createTransaction()) {
      tx.getRange(FROM, bytes("k010")).asList().join();
      tx.set(bytes("x"), bytes("1"));
      put("k0055=new");
      assertThat(code(tx.commit())).isEqualTo(1020);
    }
  }

  @Test
  void sizesAndSplitPointsAreEstimated() {
    try (Transaction tx = db.createTransaction()) {
      assertThat(tx.getEstimatedRangeSizeBytes(FROM, TO).join()).isBetween(30_000L, 400_000L);
      List<byte[]> points = tx.getRangeSplitPoints(new Range(FROM, TO), 20_000).join().getKeys();
      assertThat(points)
          .hasSizeBetween(3, 25)
          .isSortedAccordingTo(Arrays::compareUnsigned)
          .doesNotHaveDuplicates();
      assertThat(points.getFirst()).isEqualTo(FROM);
      assertThat(points.getLast()).isEqualTo(TO);
      assertThat(tx.getApproximateSize().join()).isZero();
    }
  }
}
