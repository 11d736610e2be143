package dev.tidemark.testkit.conformance;

import static dev.tidemark.kv.MutationType.ADD;
import static dev.tidemark.kv.MutationType.APPEND_IF_FITS;
import static dev.tidemark.kv.MutationType.BIT_AND;
import static dev.tidemark.kv.MutationType.BIT_OR;
import static dev.tidemark.kv.MutationType.BIT_XOR;
import static dev.tidemark.kv.MutationType.BYTE_MAX;
import static dev.tidemark.kv.MutationType.BYTE_MIN;
import static dev.tidemark.kv.MutationType.COMPARE_AND_CLEAR;
import static dev.tidemark.kv.MutationType.MAX;
import static dev.tidemark.kv.MutationType.MIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.internal.Concurrently;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Atomic operations. Values are hexadecimal digits here; {@code absent} stands for no value. */
abstract class MutationConformance extends ConformanceSuite {
  private static final Key KEY = key("n");

  MutationConformance(DatabaseConformance engine) {
    super(engine);
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static String hexValue(Transaction tx) {
    return tx.get(KEY).map(HexFormat.of()::formatHex).orElse("absent");
  }

  private String hexValue() {
    return db.transact(MutationConformance::hexValue);
  }

  private void givenValue(String existing) {
    if (!existing.equals("absent")) {
      db.run(tx -> tx.set(KEY, hex(existing)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ADD, absent, 0100, 0100",
    "ADD, '', 0100, 0100",
    "ADD, 02, 0100, 0300",
    "ADD, ff, 0100, 0001",
    "ADD, ffff, 0100, 0000",
    "ADD, 010203, 0100, 0202",
    "ADD, 0102, '', ''",
    "ADD, ffffffffffffffff, 0200000000000000, 0100000000000000",
    "BIT_AND, absent, 0f0f, 0f0f",
    "BIT_AND, '', 0f0f, 0000",
    "BIT_AND, ff, 0f0f, 0f00",
    "BIT_AND, fcfcfc, 0f0f, 0c0c",
    "BIT_OR, absent, 0f0f, 0f0f",
    "BIT_OR, '', 0f0f, 0f0f",
    "BIT_OR, f0, 0f0f, ff0f",
    "BIT_OR, f0f0f0, 0f00, fff0",
    "BIT_XOR, absent, 0f0f, 0f0f",
    "BIT_XOR, '', 0f0f, 0f0f",
    "BIT_XOR, ff, 0f0f, f00f",
    "BIT_XOR, ffffff, 0f0f, f0f0",
    "MAX, absent, 0500, 0500",
    "MAX, '', 0500, 0500",
    "MAX, 06, 0500, 0600",
    "MAX, 04, 0500, 0500",
    "MAX, ff, 0001, 0001",
    "MAX, 0002, ff01, 0002",
    "MAX, 060001, 0500, 0600",
    "MAX, 040001, 0500, 0500",
    "MIN, absent, 0500, 0500",
    "MIN, '', 0500, 0000",
    "MIN, 06, 0500, 0500",
    "MIN, 04, 0500, 0400",
    "MIN, ff, 0001, ff00",
    "MIN, 040001, 0500, 0400",
    "MIN, ffff, 00ff, 00ff",
    "BYTE_MAX, absent, 05, 05",
    "BYTE_MAX, '', 05, 05",
    "BYTE_MAX, 0500, 05, 0500",
    "BYTE_MAX, 04ff, 05, 05",
    "BYTE_MAX, ff, 05, ff",
    "BYTE_MIN, absent, 05, 05",
    "BYTE_MIN, '', 05, ''",
    "BYTE_MIN, 0500, 05, 05",
    "BYTE_MIN, 04ff, 05, 04ff",
    "BYTE_MIN, ff, 05, 05",
    "APPEND_IF_FITS, absent, 0506, 0506",
    "APPEND_IF_FITS, '', 0506, 0506",
    "APPEND_IF_FITS, 01, 0506, 010506",
    "APPEND_IF_FITS, 01, '', 01",
    "COMPARE_AND_CLEAR, absent, 05, absent",
    "COMPARE_AND_CLEAR, absent, '', absent",
    "COMPARE_AND_CLEAR, '', '', absent",
    "COMPARE_AND_CLEAR, 05, 05, absent",
    "COMPARE_AND_CLEAR, 0500, 05, 0500",
    "COMPARE_AND_CLEAR, '', 05, ''",
  })
  void mutationHasTheSameResultStoredReadAndLaidOverOwnWrites(
      MutationType type, String existing, String operand, String expected) {
    givenValue(existing);
    try (Transaction reading = db.begin()) {
      reading.mutate(type, KEY, hex(operand));
      assertThat(hexValue(reading)).as("read before commit").isEqualTo(expected);
    }
    try (Transaction own = db.begin()) {
      own.clear(KEY);
      if (!existing.equals("absent")) {
        own.set(KEY, hex(existing));
      }
      own.mutate(type, KEY, hex(operand));
      assertThat(hexValue(own)).as("over an own write").isEqualTo(expected);
    }
    db.run(tx -> tx.mutate(type, KEY, hex(operand)));
    assertThat(hexValue()).as("stored").isEqualTo(expected);
  }

  @Test
  void setThenAddStoresTheSum() {
    db.run(tx -> tx.set(KEY, hex("63")));
    db.run(
        tx -> {
          tx.set(KEY, hex("0500"));
          tx.mutate(ADD, KEY, hex("0100"));
        });
    assertThat(hexValue()).isEqualTo("0600");
  }

  @Test
  void clearThenAddCountsFromZero() {
    for (boolean wholeRange : List.of(false, true)) {
      db.run(tx -> tx.set(KEY, hex("6300")));
      db.run(
          tx -> {
            if (wholeRange) {
              tx.clear(KeyRange.ALL);
            } else {
              tx.clear(KEY);
            }
            tx.mutate(ADD, KEY, hex("0100"));
          });
      assertThat(hexValue()).isEqualTo("0100");
    }
  }

  @Test
  void addThenClearLeavesNothing() {
    givenValue("0500");
    db.run(
        tx -> {
          tx.mutate(ADD, KEY, hex("0100"));
          tx.clear(KEY);
        });
    assertThat(hexValue()).isEqualTo("absent");
  }

  @Test
  void addThenSetStoresTheSetValue() {
    givenValue("0500");
    db.run(
        tx -> {
          tx.mutate(ADD, KEY, hex("0100"));
          tx.set(KEY, hex("07"));
        });
    assertThat(hexValue()).isEqualTo("07");
  }

  @Test
  void chainRunsInTheOrderItWasWritten() {
    givenValue("0500");
    db.run(
        tx -> {
          tx.mutate(ADD, KEY, hex("feff"));
          tx.mutate(ADD, KEY, hex("fdff"));
          tx.mutate(COMPARE_AND_CLEAR, KEY, hex("0000"));
        });
    assertThat(hexValue()).isEqualTo("absent");
    db.run(
        tx -> {
          tx.mutate(COMPARE_AND_CLEAR, KEY, hex("0000"));
          tx.mutate(ADD, KEY, hex("0000"));
        });
    assertThat(hexValue()).isEqualTo("0000");
    db.run(
        tx -> {
          tx.mutate(BIT_OR, KEY, hex("0f00"));
          tx.mutate(MAX, KEY, hex("0200"));
          tx.mutate(BIT_XOR, KEY, hex("ff00"));
          tx.mutate(BIT_AND, KEY, hex("f800"));
          tx.mutate(MIN, KEY, hex("f100"));
          tx.mutate(APPEND_IF_FITS, KEY, hex("aa"));
          tx.mutate(BYTE_MAX, KEY, hex("00"));
          tx.mutate(BYTE_MIN, KEY, hex("ff"));
        });
    assertThat(hexValue()).isEqualTo("f000aa");
  }

  @Test
  void chainOfAddsWithOperandsOfDifferentLengthCutsAndExtends() {
    givenValue("ffffff");
    db.run(
        tx -> {
          tx.mutate(ADD, KEY, hex("01"));
          tx.mutate(ADD, KEY, hex("010000"));
        });
    assertThat(hexValue()).isEqualTo("010000");
  }

  @Test
  void addAfterAReadOfTheSumGoesOnFromThere() {
    givenValue("0500");
    try (Transaction tx = db.begin()) {
      tx.mutate(ADD, KEY, hex("0100"));
      assertThat(hexValue(tx)).isEqualTo("0600");
      tx.mutate(ADD, KEY, hex("0100"));
      assertThat(hexValue(tx)).isEqualTo("0700");
      tx.commit();
    }
    assertThat(hexValue()).isEqualTo("0700");
  }

  @ParameterizedTest
  @EnumSource(
      value = MutationType.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SET_VERSIONSTAMPED_KEY", "SET_VERSIONSTAMPED_VALUE"})
  void transactionsThatOnlyMutateAKeyNeverConflict(MutationType type) {
    givenValue("01");
    try (Transaction first = db.begin();
        Transaction second = db.begin()) {
      first.readVersion();
      second.readVersion();
      first.mutate(type, KEY, hex("01"));
      second.mutate(type, KEY, hex("01"));
      first.commit();
      second.commit();
    }
    db.run(tx -> tx.set(KEY, hex("01")));
    db.run(tx -> tx.mutate(type, KEY, hex("01")));
    db.run(tx -> tx.mutate(type, KEY, hex("01")));
    String twice = hexValue();
    db.run(tx -> tx.set(KEY, hex("01")));
    try (Transaction both = db.begin()) {
      both.mutate(type, KEY, hex("01"));
      both.mutate(type, KEY, hex("01"));
      both.commit();
    }
    assertThat(hexValue())
        .as("two in one transaction do what two transactions do")
        .isEqualTo(twice);
  }

  @Test
  void concurrentAddsAllCount() throws Exception {
    Concurrently.Task task =
        () -> {
          for (int i = 0; i < 100; i++) {
            try (Transaction tx = db.begin()) {
              tx.mutate(ADD, KEY, number(1));
              tx.commit();
            }
          }
        };
    Concurrently.run(task, task, task, task);
    assertThat(value(KEY)).hasValue(number(400));
  }

  @Test
  void appendStopsExactlyAtTheLongestValue() {
    int limit = dev.tidemark.kv.Limits.DEFAULTS.valueBytes();
    db.run(tx -> tx.set(KEY, new byte[limit - 2]));
    db.run(tx -> tx.mutate(APPEND_IF_FITS, KEY, new byte[3]));
    assertThat(db.read(tx -> tx.get(KEY)).orElseThrow()).hasSize(limit - 2);
    db.run(tx -> tx.mutate(APPEND_IF_FITS, KEY, new byte[2]));
    assertThat(db.read(tx -> tx.get(KEY)).orElseThrow()).hasSize(limit);
  }
}
