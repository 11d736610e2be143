package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
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
      Transaction tx, Tuple mapper, int limit) {
    Range red = Range.startsWith(Tuple.from("index", "red").pack());
    return tx.getMappedRange(
            KeySelector.firstGreaterOrEqual(red.begin),
            KeySelector.firstGreaterOrEqual(red.end),
            mapper.pack(),
            limit,
            false,
            StreamingMode.ITERATOR)
        .asList();
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
  void whatWasMappedToCountsAsRead() {
    try (Transaction tx = db.createTransaction()) {
      mapped(tx, Tuple.from("car", "{K[2]}", "{...}"), 3).join();
      tx.set(bytes("x"), bytes("1"));
      db.run(
          other -> {
            other.set(Tuple.from("car", 4L, 9).pack(), bytes("new"));
            return true;
          });
      assertThat(code(tx.commit())).isEqualTo(1020);
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
