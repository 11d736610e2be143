package dev.tidemark.partitions.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.testkit.junit.SeedSource;
import dev.tidemark.testkit.model.ModelDatabase;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Entries come back from their rows one by one, wherever the log is cut. */
class LogRowsTest {
  private static final String P = "p1";
  private static final int ENTRIES = 60;

  private final Database database = ModelDatabase.open();
  private final PartitionKeys keys = new PartitionKeys(Subspace.of("cluster"));
  private final LogRows rows = new LogRows(keys, P);

  @AfterEach
  void close() {
    database.close();
  }

  private static byte[] record(long lsn, int length) {
    return new LogRecord(lsn, Optional.empty(), new byte[length]).encode();
  }

  private void write(long firstLsn, byte[]... records) {
    database.run(tx -> rows.write(tx, firstLsn, List.of(records)));
  }

  /** The entries behind {@code lsn}; the time of each is its number. */
  private List<Long> behind(long lsn) throws Exception {
    List<Long> read = new ArrayList<>();
    long last =
        rows.read(
            database,
            lsn,
            new JournalTarget() {
              @Override
              public void answers(InputStream in) {}

              @Override
              public void state(InputStream in) {}

              @Override
              public void entry(long number, LogRecord entry) {
                assertThat(entry.micros()).isEqualTo(number);
                read.add(number);
              }
            });
    assertThat(last).isEqualTo(read.isEmpty() ? lsn : read.getLast());
    return read;
  }

  private static List<Long> range(long from, long to) {
    List<Long> numbers = new ArrayList<>();
    for (long number = from; number <= to; number++) {
      numbers.add(number);
    }
    return numbers;
  }

  private List<Key> rowKeys() {
    List<Key> all = new ArrayList<>();
    database.read(tx -> tx.scan(keys.log(P)).list()).forEach(row -> all.add(row.key()));
    return all;
  }

  @Test
  void entriesOfOneAppendShareARowThatHasTheNumberOfTheLast() throws Exception {
    write(1, record(1, 10), record(2, 10), record(3, 10));
    write(4, record(4, 10));
    assertThat(rowKeys()).containsExactly(keys.logEntry(P, 3), keys.logEntry(P, 4));
    assertThat(behind(0)).isEqualTo(range(1, 4));
    assertThat(behind(2)).isEqualTo(range(3, 4));
  }

  @Test
  void aRowHasNoMoreBytesThanAnEntryMayHaveInOnePiece() throws Exception {
    write(1, record(1, 40_000), record(2, 40_000), record(3, 40_000), record(4, 200_000));
    assertThat(rowKeys())
        .containsExactly(
            keys.logEntry(P, 2),
            keys.logEntry(P, 3),
            keys.logEntry(P, 4),
            keys.logPiece(P, 4, 1),
            keys.logPiece(P, 4, 2));
    assertThat(behind(0)).isEqualTo(range(1, 4));
  }

  @ParameterizedTest
  @SeedSource(count = 20)
  void everyEntryBehindACutIsReadOnce(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (long lsn = 1; lsn <= ENTRIES; ) {
      int count = (int) Math.min(ENTRIES - lsn + 1, 1 + random.nextInt(9));
      byte[][] batch = new byte[count][];
      for (int i = 0; i < count; i++) {
        batch[i] = record(lsn + i, random.nextInt(10) == 0 ? 100_000 : random.nextInt(30_000));
      }
      write(lsn, batch);
      lsn += count;
    }
    for (long lsn = 0; lsn <= ENTRIES; lsn++) {
      assertThat(behind(lsn)).as("behind %d", lsn).isEqualTo(range(lsn + 1, ENTRIES));
    }
    for (long lsn = 1; lsn < ENTRIES; lsn += 1 + random.nextInt(9)) {
      long checkpoint = lsn;
      database.run(tx -> tx.clear(keys.logThrough(P, checkpoint)));
      assertThat(behind(lsn)).as("cut at %d", lsn).isEqualTo(range(lsn + 1, ENTRIES));
    }
  }

  @Test
  void aMissingRowAndADamagedOneAreNoticed() {
    write(1, record(1, 10), record(2, 10));
    write(3, record(3, 10), record(4, 10));
    write(5, record(5, 10), record(6, 10));
    byte[] whole = database.read(tx -> tx.get(keys.logEntry(P, 4))).orElseThrow();
    for (int length = 2; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      database.run(tx -> tx.set(keys.logEntry(P, 4), part));
      corrupt();
    }
    database.run(tx -> tx.clear(keys.logEntry(P, 4)));
    corrupt();
  }

  private void corrupt() {
    assertThatThrownBy(() -> behind(0))
        .isInstanceOfSatisfying(
            PartitionException.class,
            failure -> assertThat(failure.reason()).isEqualTo(Reason.CORRUPT));
  }
}
