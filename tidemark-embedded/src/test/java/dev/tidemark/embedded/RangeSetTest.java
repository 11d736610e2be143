package dev.tidemark.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionAction;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.tuple.RangeSet;
import dev.tidemark.kv.tuple.Subspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeSetTest {
  private static final Pattern ROW = Pattern.compile("\\| `([0-9a-f]+)` \\| `([0-9a-f]+)` \\|");
  private static final Subspace SPACE = Subspace.of(7);
  private static final RangeSet SET = RangeSet.in(SPACE);
  private static final KeyRange EVERYTHING = range("00", "ff");

  private final Database db = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void rangesAreHalfOpen() {
    assertThat(SET.insert(db, range("10", "20"))).isTrue();
    assertThat(SET.contains(db, Key.hex("10"))).isTrue();
    assertThat(SET.contains(db, Key.hex("1fff"))).isTrue();
    assertThat(SET.contains(db, Key.hex("20"))).isFalse();
    assertThat(SET.contains(db, Key.hex("0fff"))).isFalse();
    assertThat(SET.missing(db, EVERYTHING)).containsExactly(range("00", "10"), range("20", "ff"));
    assertThat(SET.missing(db, range("11", "1f"))).isEmpty();
    assertThat(SET.missing(db, range("18", "28"))).containsExactly(range("20", "28"));
  }

  @Test
  void anEmptySetMissesEverythingAndAnEmptyRangeMissesNothing() {
    assertThat(SET.missing(db, EVERYTHING)).containsExactly(EVERYTHING);
    assertThat(SET.missing(db, range("05", "05"))).isEmpty();
    assertThat(SET.insert(db, range("05", "05"))).isFalse();
    assertThat(SET.insertIfEmpty(db, range("05", "05"))).isFalse();
    assertThat(rows()).isEmpty();
  }

  @Test
  void insertFillsTheGapsAndSaysWhetherThereWereAny() {
    SET.insert(db, range("20", "30"));
    SET.insert(db, range("40", "50"));
    assertThat(SET.insert(db, range("22", "2f"))).isFalse();
    assertThat(SET.insert(db, range("10", "60"))).isTrue();
    assertThat(SET.missing(db, EVERYTHING)).containsExactly(range("00", "10"), range("60", "ff"));
    assertThat(SET.insert(db, range("10", "60"))).isFalse();
    assertThat(SET.insert(db, EVERYTHING)).isTrue();
    assertThat(SET.missing(db, EVERYTHING)).isEmpty();
  }

  @Test
  void insertIfEmptyLeavesAPartlyFilledRangeAlone() {
    assertThat(SET.insertIfEmpty(db, range("20", "30"))).isTrue();
    Map<String, String> before = rows();
    for (KeyRange overlapping :
        List.of(range("20", "30"), range("10", "21"), range("2f", "40"), range("10", "40"))) {
      assertThat(SET.insertIfEmpty(db, overlapping)).isFalse();
    }
    assertThat(rows()).isEqualTo(before);
    assertThat(SET.insertIfEmpty(db, range("10", "20"))).isTrue();
    assertThat(SET.insertIfEmpty(db, range("30", "40"))).isTrue();
  }

  @Test
  void workThatGoesForwardKeepsOneRow() {
    for (int i = 0; i < 50; i++) {
      int from = i;
      db.run(tx -> SET.insert(tx, KeyRange.of(Key.of((byte) from), Key.of((byte) (from + 1)))));
    }
    assertThat(rows()).hasSize(1).containsValue("32");
  }

  @Test
  void missingStopsAtItsLimit() {
    SET.insert(db, range("10", "20"));
    SET.insert(db, range("30", "40"));
    assertThat(SET.missing(db, EVERYTHING, 2))
        .containsExactly(range("00", "10"), range("20", "30"));
    assertThat(SET.missing(db, EVERYTHING, 1)).containsExactly(range("00", "10"));
    assertThatIllegalArgumentException().isThrownBy(() -> SET.missing(db, EVERYTHING, 0));
  }

  @Test
  void keysOutsideTheDomainAreRefused() {
    for (String key : List.of("", "ff", "ff00")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SET.contains(db, Key.hex(key)))
          .withMessageContaining("it must have a byte and be below ff");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> SET.insert(db, range("", "10")));
    assertThatIllegalArgumentException().isThrownBy(() -> SET.missing(db, range("10", "ff00")));
    assertThatExceptionOfType(UsageException.class).isThrownBy(() -> range("20", "10"));
  }

  @Test
  void clearEmptiesTheSetAndNothingElse() {
    SET.insert(db, EVERYTHING);
    db.run(tx -> tx.set(Subspace.of(8).pack(1), new byte[0]));
    SET.clear(db);
    assertThat(SET.missing(db, EVERYTHING)).containsExactly(EVERYTHING);
    assertThat(rows()).hasSize(1);
  }

  @Test
  void aReaderConflictsWithExactlyTheInsertsThatConcernIt() {
    reads(tx -> SET.contains(tx, Key.hex("25"))).conflictsWith(range("20", "30"));
    reads(tx -> SET.contains(tx, Key.hex("25"))).conflictsWith(range("25", "2500"));
    reads(tx -> SET.contains(tx, Key.hex("25"))).permits(range("30", "40"));
    reads(tx -> SET.contains(tx, Key.hex("25"))).permits(range("20", "25"));
    reads(tx -> SET.contains(tx, Key.hex("15"))).permits(range("10", "30"));
    reads(tx -> SET.contains(tx.snapshot(), Key.hex("25"))).permits(range("20", "30"));
    reads(tx -> SET.missing(tx, range("20", "30"))).conflictsWith(range("28", "40"));
    reads(tx -> SET.missing(tx, range("20", "30"))).permits(range("30", "40"));
    reads(tx -> SET.missing(tx.snapshot(), range("20", "30"))).permits(range("20", "30"));
  }

  @Test
  void insertsConflictOnlyWhereTheyMeet() {
    reads(tx -> SET.insert(tx, range("20", "30"))).conflictsWith(range("2f", "40"));
    reads(tx -> SET.insert(tx, range("20", "30"))).conflictsWith(range("20", "21"));
    reads(tx -> SET.insert(tx, range("20", "30"))).permits(range("30", "40"));
    reads(tx -> SET.insert(tx, range("30", "40"))).permits(range("20", "30"));
  }

  @Test
  void aClearConflictsWithReadersAndInserts() {
    SET.insert(db, range("10", "20"));
    try (Transaction reader = db.begin();
        Transaction writer = db.begin()) {
      SET.contains(reader, Key.hex("25"));
      reader.set(Key.utf8("decision"), new byte[0]);
      SET.insert(writer, range("20", "30"));
      SET.clear(db);
      assertThatExceptionOfType(ConflictException.class).isThrownBy(reader::commit);
      assertThatExceptionOfType(ConflictException.class).isThrownBy(writer::commit);
    }
    assertThat(rows()).isEmpty();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void behavesLikeASetOfKeys(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BitSet model = new BitSet();
    for (int i = 0; i < 300; i++) {
      int begin = random.nextInt(255);
      int end = Math.min(255, begin + random.nextInt(24));
      KeyRange range = KeyRange.of(Key.of((byte) begin), Key.of((byte) end));
      int present = model.get(begin, end).cardinality();
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> {
          assertThat(SET.insert(db, range)).as("step %d", i).isEqualTo(present < end - begin);
          model.set(begin, end);
        }
        case 4, 5 -> {
          boolean empty = present == 0 && end > begin;
          assertThat(SET.insertIfEmpty(db, range)).as("step %d", i).isEqualTo(empty);
          if (empty) {
            model.set(begin, end);
          }
        }
        case 6 -> {
          if (random.nextInt(10) == 0) {
            SET.clear(db);
            model.clear();
          }
        }
        case 7, 8 ->
            assertThat(SET.contains(db, Key.of((byte) begin)))
                .as("step %d", i)
                .isEqualTo(model.get(begin));
        default ->
            assertThat(SET.missing(db, range)).as("step %d", i).isEqualTo(gaps(model, begin, end));
      }
    }
    assertThat(SET.missing(db, EVERYTHING)).isEqualTo(gaps(model, 0, 255));
  }

  @Test
  void keysOfManyZerosFit() {
    Key zeros = Key.of(new byte[9_900]);
    SET.insert(db, KeyRange.of(zeros, zeros.next()));

    assertThat(SET.contains(db, zeros)).isTrue();
    assertThat(SET.contains(db, zeros.next())).isFalse();
    assertThat(SET.missing(db, EVERYTHING)).hasSize(2);
  }

  @Test
  void setsOfAnEarlierBuildAreRefused() {
    db.run(tx -> tx.set(Key.hex("1507010100"), new byte[] {4}));

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> SET.insert(db, range("02", "03")))
        .withMessageContaining("earlier build");
    SET.clear(db);
    assertThat(SET.insert(db, range("02", "03"))).isTrue();
  }

  @Test
  void theVectorOfThePageIsWhatIsStored() throws IOException {
    Path file = Path.of(System.getProperty("tidemark.root"), "docs/formats/range-set.md");
    Map<String, String> page = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      var row = ROW.matcher(line);
      if (row.matches()) {
        page.put(row.group(1), row.group(2));
      }
    }
    SET.insert(db, range("01", "02"));
    SET.insert(db, range("04", "05"));
    SET.insert(db, range("02", "03"));
    SET.insert(db, range("00", "06"));
    assertThat(rows()).isEqualTo(page).hasSize(3);
  }

  private static KeyRange range(String begin, String end) {
    return KeyRange.of(Key.hex(begin), Key.hex(end));
  }

  private static List<KeyRange> gaps(BitSet model, int begin, int end) {
    List<KeyRange> gaps = new ArrayList<>();
    for (int from = model.nextClearBit(begin); from < end; ) {
      int next = model.nextSetBit(from);
      int to = next < 0 ? end : Math.min(next, end);
      gaps.add(KeyRange.of(Key.of((byte) from), Key.of((byte) to)));
      from = model.nextClearBit(to);
    }
    return gaps;
  }

  private Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    for (KeyValue row : db.read(tx -> tx.scan(KeyRange.ALL).list())) {
      rows.put(row.key().toHex(), HexFormat.of().formatHex(row.value()));
    }
    return rows;
  }

  private Attempt reads(TransactionAction<RuntimeException> action) {
    return new Attempt(action);
  }

  /** A transaction on the set [10, 20) during which another one inserts a range. */
  private final class Attempt {
    private final TransactionAction<RuntimeException> action;

    Attempt(TransactionAction<RuntimeException> action) {
      this.action = action;
    }

    void conflictsWith(KeyRange inserted) {
      assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> run(inserted));
    }

    void permits(KeyRange inserted) {
      assertThatCode(() -> run(inserted)).doesNotThrowAnyException();
    }

    private void run(KeyRange inserted) {
      SET.clear(db);
      SET.insert(db, range("10", "20"));
      try (Transaction tx = db.begin()) {
        action.accept(tx);
        tx.set(Key.utf8("decision"), new byte[0]);
        SET.insert(db, inserted);
        tx.commit();
      }
    }
  }
}
