package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncIterable;
import com.apple.foundationdb.async.AsyncIterator;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranges that bring along what their rows lead to. */
class FacadeMappedRangeTest extends FacadeCase {
  /** An index from colours to cars, and cars of two rows each. */
  @BeforeEach
  void fill() {
    db.run(
        tx -> {
          for (long car = 0; car < 20; car++) {
            String colour = car % 2 == 0 ? "red" : "blue";
            tx.set(Tuple.from("index", colour, car).pack(), Tuple.from("v" + car).pack());
            tx.set(Tuple.from("car", car, 0).pack(), bytes(colour));
            tx.set(Tuple.from("car", car, 1).pack(), bytes("wheels"));
            tx.set(Tuple.from("{note}", "v" + car).pack(), bytes("note " + car));
          }
          return true;
        });
  }

  private static CompletableFuture<List<MappedKeyValue>> mapped(
      ReadTransaction tx, Tuple mapper, int limit) {
    return mapped(tx, Tuple.from("index", "red").pack(), mapper, limit, false).asList();
  }

  private static AsyncIterable<MappedKeyValue> mapped(
      ReadTransaction tx, byte[] prefix, Tuple mapper, int limit, boolean reverse) {
    Range range = Range.startsWith(prefix);
    return tx.getMappedRange(
        KeySelector.firstGreaterOrEqual(range.begin),
        KeySelector.firstGreaterOrEqual(range.end),
        mapper.pack(),
        limit,
        reverse,
        StreamingMode.ITERATOR);
  }

  @Test
  void rowBringsTheRangeThatItsKeyNames() {
    try (Transaction tx = db.createTransaction()) {
      List<MappedKeyValue> rows = mapped(tx, Tuple.from("car", "{K[2]}", "{...}"), 3).join();
      assertThat(rows).hasSize(3);
      MappedKeyValue second = rows.get(1);
      byte[] prefix = Tuple.from("car", 2L).pack();
      assertThat(second.getKey()).isEqualTo(Tuple.from("index", "red", 2L).pack());
      assertThat(second.getRangeBegin()).isEqualTo(prefix);
      assertThat(second.getRangeEnd()).isEqualTo(ByteArrayUtil.strinc(prefix));
      assertThat(second.getRangeResult()).hasSize(2);
      assertThat(second.getRangeResult().getFirst().getValue()).isEqualTo(bytes("red"));
    }
  }

  @Test
  void rowBringsTheOneKeyThatItsValueNames() {
    try (Transaction tx = db.createTransaction()) {
      List<MappedKeyValue> rows = mapped(tx, Tuple.from("{{note}}", "{V[0]}"), 0).join();
      assertThat(rows).hasSize(10);
      assertThat(text(rows.get(4).getRangeResult().getFirst().getValue())).isEqualTo("note 8");
    }
  }

  @Test
  void reversedRowsComeFromTheLastOneOnAndWhatTheyBringInOrder() {
    byte[] red = Tuple.from("index", "red").pack();
    Tuple mapper = Tuple.from("car", "{K[2]}", "{...}");
    try (Transaction tx = db.createTransaction()) {
      List<MappedKeyValue> rows = mapped(tx, red, mapper, 3, true).asList().join();
      assertThat(rows)
          .extracting(row -> Tuple.fromBytes(row.getKey()).getLong(2))
          .containsExactly(18L, 16L, 14L);
      assertThat(rows.get(1).getRangeResult())
          .extracting(KeyValue::getKey)
          .containsExactly(Tuple.from("car", 16L, 0).pack(), Tuple.from("car", 16L, 1).pack());
    }
  }

  @Test
  void iterationOverMappedRowsRemovesTheRowAndNotWhatItBrings() {
    byte[] red = Tuple.from("index", "red").pack();
    db.run(
        tx -> {
          AsyncIterator<MappedKeyValue> rows =
              mapped(tx, red, Tuple.from("car", "{K[2]}", "{...}"), 0, false).iterator();
          rows.next();
          rows.remove();
          return true;
        });
    try (Transaction tx = db.createTransaction()) {
      assertThat(tx.get(Tuple.from("index", "red", 0L).pack()).join()).isNull();
      assertThat(tx.get(Tuple.from("car", 0L, 0).pack()).join()).isNotNull();
    }
  }

  private void changeWhatThirdRowLeadsTo() {
    db.run(
        other -> {
          other.set(Tuple.from("car", 4L, 9).pack(), bytes("new"));
          return true;
        });
  }

  @Test
  void whatWasMappedToCountsAsRead() {
    try (Transaction tx = db.createTransaction()) {
      mapped(tx, Tuple.from("car", "{K[2]}", "{...}"), 3).join();
      tx.set(bytes("x"), bytes("1"));
      changeWhatThirdRowLeadsTo();
      assertThat(code(tx.commit())).isEqualTo(1020);
    }
  }

  @Test
  void mappedRangeIsRefusedWhereAClusterRefusesIt() {
    Tuple mapper = Tuple.from("car", "{K[2]}", "{...}");
    try (Transaction tx = db.createTransaction()) {
      assertThatThrownBy(() -> mapped(tx.snapshot(), mapper, 3))
          .isInstanceOf(UnsupportedOperationException.class);
    }
    try (Transaction tx = db.createTransaction()) {
      tx.options().setReadYourWritesDisable();
      assertThat(code(mapped(tx, mapper, 3))).isEqualTo(2108);
    }
  }

  @Test
  void rowThatIsNoTupleIsReportedIfTheMapperAsksForIt() {
    List<byte[]> malformed =
        List.of(
            new byte[] {(byte) 0xfe}, // a type that there is not
            new byte[] {0x16, 1}, // a number of two bytes without its second
            new byte[] {0x01, 'x'}); // bytes without their end
    for (byte[] bytes : malformed) {
      byte[] value = Tuple.from("v1").pack();
      try (Transaction tx = db.createTransaction()) {
        tx.clear(new byte[0], new byte[] {(byte) 0xff});
        tx.set(bytes, value);
        Tuple ofValue = Tuple.from("{{note}}", "{V[0]}");
        Tuple ofKey = Tuple.from("car", "{K[0]}");
        assertThat(code(mapped(tx, bytes, ofKey, 0, false).asList())).isEqualTo(2041);
        assertThat(mapped(tx, bytes, ofValue, 0, false).asList().join()).hasSize(1);
        tx.set(Tuple.from("k").pack(), bytes);
        byte[] tuple = Tuple.from("k").pack();
        assertThat(code(mapped(tx, tuple, ofValue, 0, false).asList())).isEqualTo(2042);
        assertThat(mapped(tx, tuple, ofKey, 0, false).asList().join()).hasSize(1);
      }
    }
  }

  @Test
  void mapperThatCannotWorkIsReported() {
    try (Transaction tx = db.createTransaction()) {
      assertThat(code(mapped(tx, Tuple.from("car", "{K[9]}"), 0))).isEqualTo(2030);
      assertThat(code(mapped(tx, Tuple.from("car", "{X[0]}"), 0))).isEqualTo(2030);
      assertThat(code(mapped(tx, Tuple.from("{...}", "car"), 0))).isEqualTo(2032);
      KeySelector all = KeySelector.firstGreaterOrEqual(new byte[0]);
      assertThat(
              code(
                  tx.getMappedRange(
                          all, all, new byte[] {(byte) 0xfe}, 0, false, StreamingMode.ITERATOR)
                      .asList()))
          .isEqualTo(2043);
    }
  }
}
