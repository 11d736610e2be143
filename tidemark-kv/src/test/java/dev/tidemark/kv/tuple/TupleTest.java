package dev.tidemark.kv.tuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.internal.TupleCode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TupleTest {
  private static final UUID ID = UUID.fromString("8f14e45f-ceea-467f-ab1d-0123456789ab");

  @Test
  void elementsAreReadBackByTheirTypes() {
    Tuple tuple =
        Tuple.of("text", 7, null, new byte[] {0, 1}, 1.5f, 2.5, true, ID, Tuple.of(1, null, "x"));
    assertThat(tuple.size()).isEqualTo(9);
    assertThat(tuple.getString(0)).isEqualTo("text");
    assertThat(tuple.getLong(1)).isEqualTo(7);
    assertThat(tuple.getInt(1)).isEqualTo(7);
    assertThat(tuple.getBigInteger(1)).isEqualTo(7);
    assertThat(tuple.isNull(2)).isTrue();
    assertThat(tuple.get(2)).isNull();
    assertThat(tuple.getBytes(3)).containsExactly(0, 1);
    assertThat(tuple.getFloat(4)).isEqualTo(1.5f);
    assertThat(tuple.getDouble(5)).isEqualTo(2.5);
    assertThat(tuple.getBoolean(6)).isTrue();
    assertThat(tuple.getUuid(7)).isEqualTo(ID);
    assertThat(tuple.getTuple(8)).isEqualTo(Tuple.of(1, null, "x"));
    assertThat(Tuple.of(Versionstamp.of(9, 8, 7)).getVersionstamp(0))
        .isEqualTo(Versionstamp.of(9, 8, 7));
  }

  @Test
  void equalityIsThatOfTheBytes() {
    assertThat(Tuple.of(1)).isEqualTo(Tuple.of(1L)).isEqualTo(Tuple.of(BigInteger.ONE));
    assertThat(Tuple.of(1)).isNotEqualTo(Tuple.of(1.0));
    assertThat(Tuple.of(0.0)).isNotEqualTo(Tuple.of(-0.0));
    assertThat(Tuple.of(1.0)).isNotEqualTo(Tuple.of(1f));
    assertThat(Tuple.of(Tuple.of(1))).isEqualTo(Tuple.of(List.of(1))).isNotEqualTo(Tuple.of(1));
  }

  @Test
  void anElementOfAnotherTypeIsRefusedWithItsTypeAndPosition() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuple.of("a", 1, Instant.EPOCH))
        .withMessageStartingWith(
            "Element 2 of a tuple is a java.time.Instant. A tuple takes null, byte[]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuple.of(BigDecimal.ONE))
        .withMessageStartingWith("Element 0 of a tuple is a java.math.BigDecimal");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuple.of("a", List.of(1, new int[0])))
        .withMessageStartingWith("A part of element 1 of a tuple is a int[]");
  }

  @Test
  void halfASurrogatePairIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuple.of(1, "ab\ud800"))
        .withMessageContaining("element 1 of a tuple has half a surrogate pair at index 2");
    assertThatIllegalArgumentException().isThrownBy(() -> Tuple.of("\ude00\ud83d"));
  }

  @Test
  void keyOfATextWithHalfASurrogatePairIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Key.utf8("a\ud800b"))
        .withMessageContaining("half a surrogate pair at index 1");
    assertThatIllegalArgumentException().isThrownBy(() -> Key.utf8("\ude00\ud83d"));
    assertThat(Key.utf8("\ud83d\ude00")).isEqualTo(Key.hex("f09f9880"));
  }

  @Test
  void integersEndAt255Bytes() {
    BigInteger greatest = BigInteger.ONE.shiftLeft(255 * 8).subtract(BigInteger.ONE);
    assertThat(Tuple.unpack(Tuple.of(greatest).pack()).getBigInteger(0)).isEqualTo(greatest);
    assertThat(Tuple.unpack(Tuple.of(greatest.negate()).pack()).get(0))
        .isEqualTo(greatest.negate());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuple.of(greatest.add(BigInteger.ONE)))
        .withMessageContaining("has 256 bytes; the limit is 255");
  }

  @Test
  void readingAnElementAsAnotherTypeSaysWhatItIs() {
    Tuple tuple = Tuple.of("users", 42, null);
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> tuple.getString(1))
        .withMessage("Element 1 of (\"users\", 42, null) is an integer, not a string");
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> tuple.getLong(2))
        .withMessage("Element 2 of (\"users\", 42, null) is null, not an integer");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> tuple.get(3))
        .withMessage("There is no element 3 in (\"users\", 42, null), which has 3");
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Tuple.of(BigInteger.ONE.shiftLeft(63)).getLong(0))
        .withMessageContaining("use getBigInteger");
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Tuple.of(1L << 31).getInt(0))
        .withMessageContaining("use getLong");
  }

  @Test
  void appendConcatAndNestAreDifferentThings() {
    Tuple key = Tuple.of("index");
    Tuple primary = Tuple.of("a", 1);
    assertThat(key.append(null)).isEqualTo(Tuple.of("index", null));
    assertThat(key.concat(primary)).isEqualTo(Tuple.of("index", "a", 1));
    assertThat(key.concat(primary).getLong(2)).isEqualTo(1);
    assertThat(key.nest(primary)).isEqualTo(Tuple.of("index", primary));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> key.append(primary))
        .withMessageContaining("concat adds its elements, nest adds it as one");
    assertThat(Tuple.EMPTY.concat(key).concat(Tuple.EMPTY)).isEqualTo(key);
  }

  @Test
  void partsOfATupleAreTuples() {
    Tuple tuple = Tuple.of("a", Tuple.of(null, "b", null), 3);
    assertThat(tuple.subTuple(0, 3)).isEqualTo(tuple);
    assertThat(tuple.subTuple(1, 1)).isEqualTo(Tuple.EMPTY);
    Tuple rest = tuple.subTuple(1, 3);
    assertThat(rest.pack()).isEqualTo(Tuple.of(Tuple.of(null, "b", null), 3).pack());
    assertThat(rest.getLong(1)).isEqualTo(3);
    assertThat(rest.append("x").toList()).endsWith(3L, "x");
    assertThat(rest.toKey().size()).isEqualTo(rest.pack().length);
    assertThat(tuple.getTuple(1).pack()).isEqualTo(Tuple.of(null, "b", null).pack());
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> tuple.subTuple(2, 4));
  }

  @Test
  void arraysGivenAndTakenAreCopies() {
    byte[] element = {1};
    Tuple tuple = Tuple.of((Object) element);
    element[0] = 2;
    tuple.pack()[1] = 9;
    tuple.getBytes(0)[0] = 9;
    tuple.toKey().toByteArray()[1] = 9;
    assertThat(tuple.getBytes(0)).containsExactly(1);
    byte[] packed = tuple.pack();
    Tuple read = Tuple.unpack(packed);
    packed[1] = 9;
    assertThat(read).isEqualTo(tuple);
  }

  @Test
  void rangeHoldsLongerTuplesOnly() {
    KeyRange range = Tuple.of("a").range();
    assertThat(range.contains(Tuple.of("a").toKey())).isFalse();
    assertThat(range.contains(Tuple.of("a", null).toKey())).isTrue();
    assertThat(range.contains(Tuple.of("a", Versionstamp.of(-2, 0, 0)).toKey())).isTrue();
    assertThat(range.contains(Tuple.of("a\0").toKey())).isFalse();
  }

  @Test
  void nestingHasALimitThatIsAnError() {
    Tuple tuple = Tuple.EMPTY;
    for (int i = 0; i < TupleCode.MAX_DEPTH; i++) {
      tuple = Tuple.of(tuple);
    }
    Tuple deepest = tuple;
    assertThat(Tuple.unpack(deepest.pack())).isEqualTo(deepest);
    assertThat(deepest.toString()).startsWith("((((");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuple.of(deepest))
        .withMessageContaining("more than 1,000 tuples inside each other");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuple.unpack(deepest.pack()).nest(deepest));
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    assertThatIllegalArgumentException().isThrownBy(() -> Tuple.copyOf(endless));
  }

  @Test
  void incompleteVersionstampsArePackedWithTheirOffset() {
    Tuple tuple = Tuple.of("a", Versionstamp.incomplete(1), 5);
    assertThat(Key.wrap(tuple.packWithVersionstamp()).toHex())
        .isEqualTo("02610033ffffffffffffffffffff0001150504000000");
    assertThat(Key.wrap(tuple.packWithVersionstamp(Key.hex("fe01"))).toHex())
        .isEqualTo("fe0102610033ffffffffffffffffffff0001150506000000");
    Tuple nested = Tuple.of(null, Tuple.of(null, Versionstamp.incomplete(0)));
    assertThat(Key.wrap(nested.packWithVersionstamp()).toHex())
        .isEqualTo("000500ff33ffffffffffffffffffff00000005000000");
    assertThat(nested.getTuple(1).packWithVersionstamp())
        .isEqualTo(Tuple.of(null, Versionstamp.incomplete(0)).packWithVersionstamp());
    assertThat(Tuple.of("b").concat(tuple).packWithVersionstamp())
        .isEqualTo(Tuple.of("b", "a", Versionstamp.incomplete(1), 5).packWithVersionstamp());
    assertThat(tuple.subTuple(1, 3).packWithVersionstamp())
        .isEqualTo(Tuple.of(Versionstamp.incomplete(1), 5).packWithVersionstamp());
    assertThat(Tuple.of(tuple).append("x").packWithVersionstamp())
        .isEqualTo(
            Tuple.of(List.of("a", Versionstamp.incomplete(1), 5), "x").packWithVersionstamp());
  }

  @Test
  void incompleteVersionstampsAreCounted() {
    Tuple one = Tuple.of(Versionstamp.incomplete(0));
    assertThatIllegalArgumentException()
        .isThrownBy(one::pack)
        .withMessage(
            "(Versionstamp(incomplete, 0)) has an incomplete versionstamp; use"
                + " packWithVersionstamp");
    assertThatIllegalArgumentException().isThrownBy(one::toKey);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuple.of(1).packWithVersionstamp())
        .withMessage("(1) has no incomplete versionstamp; packWithVersionstamp needs exactly one");
    for (Tuple two :
        List.of(one.concat(one), Tuple.of(one, one), Tuple.of(one.concat(one)).append(1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(two::packWithVersionstamp)
          .withMessageContaining("has more than one incomplete versionstamp");
    }
    assertThat(Tuple.of(1, Versionstamp.incomplete(0)).subTuple(0, 1).pack())
        .isEqualTo(Tuple.of(1).pack());
    assertThat(Tuple.of(Versionstamp.of(Long.MAX_VALUE, 65_535, 0)))
        .isLessThan(Tuple.of(Versionstamp.incomplete(0)));
  }
}
