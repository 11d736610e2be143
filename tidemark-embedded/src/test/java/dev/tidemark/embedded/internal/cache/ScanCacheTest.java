package dev.tidemark.embedded.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.testkit.junit.SeedSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What was scanned is used again just for versions that it is right for. */
class ScanCacheTest {
  private static final int ALL = Integer.MAX_VALUE;
  private static final int ROWS = 900;

  /** Of a key and a value in these tests. */
  private static final int ROW_BYTES = 4;

  private final ScanCache cache = new ScanCache(1 << 20);

  /** The rows of each version; a version that is absent has those of the one before. */
  private final TreeMap<Long, NavigableMap<Key, Integer>> versions = new TreeMap<>();

  private final List<String> reads = new ArrayList<>();
  private Runnable duringRead = () -> {};

  ScanCacheTest() {
    versions.put(1L, new TreeMap<>());
    for (int i = 0; i < ROWS; i++) {
      versions.firstEntry().getValue().put(key(i), i);
    }
  }

  @Test
  void rowsScannedOnceAreNotReadAgain() {
    scan(10, 60, 1);
    scan(10, 60, 1);
    scan(20, 50, 2);
    scanBack(10, 60, ALL, 2);
    scan(10, 60, ALL, 3);

    assertThat(reads).containsExactly("010-060");
  }

  @Test
  void justTheGapIsRead() {
    scan(10, 20, 1);
    scan(30, 40, 1);
    scan(5, 50, 1);
    scanBack(0, 60, ALL, 1);

    assertThat(reads)
        .containsExactly(
            "010-020", "030-040", "005-010", "020-030", "040-050", "060-050", "005-000");
  }

  @Test
  void scanThatEndsAtItsLimitKnowsNothingBeyond() {
    scan(10, 90, 20, 1);
    scan(10, 40, ALL, 1);
    scanBack(100, 190, 20, 1);
    scanBack(160, 190, ALL, 1);

    assertThat(reads).containsExactly("010-090", "029+-040", "190-100", "170-160");
  }

  @Test
  void writeEndsTheStretchThatItIsInAndNoOther() {
    scan(0, 300, 1);
    write(200, 7, 2);
    reads.clear();

    scan(0, 300, 2);
    assertThat(reads).containsExactly("128-256");
  }

  @Test
  void newRowBetweenOthersIsSeen() {
    scan(0, 300, 1);
    clear(50, 51, 2);
    scan(0, 300, 2);
    write(50, 1, 3);

    scan(40, 60, 3);
    scan(40, 60, 2);
  }

  @Test
  void clearEndsEveryStretchThatItTouches() {
    scan(0, 300, 1);
    clear(100, 140, 2);
    reads.clear();

    scan(0, 300, 2);
    assertThat(reads).containsExactly("000-256");
  }

  @Test
  void readersOfEarlierVersionsReadForThemselvesAndKeepNothing() {
    write(30, 7, 2);
    scan(10, 60, 2);
    scan(10, 60, 1);
    scan(10, 60, 1);
    scan(10, 60, 2);

    assertThat(reads).containsExactly("010-060", "010-060", "010-060");
  }

  @Test
  void writeWhileRowsAreReadKeepsThemFromBeingUsed() {
    duringRead = () -> write(30, 7, 2);
    scan(10, 60, 1);
    duringRead = () -> {};
    scan(10, 60, 2);

    assertThat(reads).containsExactly("010-060", "010-060");
  }

  @Test
  void readThatFailsLeavesNothingBehind() {
    duringRead =
        () -> {
          throw new IllegalStateException("no disk");
        };
    assertThatThrownBy(() -> scan(10, 60, 1)).hasMessage("no disk");
    duringRead = () -> {};
    scan(10, 60, 1);
    scan(10, 60, 1);

    assertThat(reads).containsExactly("010-060", "010-060");
  }

  @Test
  void emptyRangeIsKnownToBeEmptyUntilSomethingIsWrittenThere() {
    scan(900, 990, 10, 1);
    scan(910, 920, 1);
    write(915, 1, 2);
    scan(910, 920, 2);

    assertThat(reads).containsExactly("900-990", "910-920");
  }

  @Test
  void scanForAFewRowsIsKeptWhenItIsAskedForAgain() {
    scan(10, 60, 2, 1);
    scan(10, 60, 2, 1);
    scan(10, 60, 2, 1);
    scanBack(10, 60, 2, 1);
    scanBack(10, 60, 2, 1);
    scanBack(10, 60, 2, 1);

    assertThat(reads).containsExactly("010-060", "010-060", "060-010", "060-011+");
  }

  @Test
  void changingAValueThatWasReadChangesNothing() {
    ScanPortion first = scan(10, 60, 1);
    first.rows().forEach(row -> row.value()[0] = -1);
    ScanPortion second = scan(10, 60, 1);
    second.rows().forEach(row -> row.value()[0] = -1);

    scan(10, 60, 1);
    assertThat(reads).hasSize(1);
  }

  @Test
  void cacheForgetsWhatIsNotUsedAndStaysWithinItsSize() {
    ScanCache small = new ScanCache(20_000);
    for (int round = 0; round < 40; round++) {
      small.scan(bytes(0), bytes(30), ALL, ALL, false, 1, source(1));
      int at = 30 + round * 6;
      small.scan(bytes(at), bytes(at + 30), ALL, ALL, false, 1, source(1));
      assertThat(small.size()).isLessThanOrEqualTo(20_000);
    }
    assertThat(reads).filteredOn("000-030"::equals).hasSize(1);
  }

  @Test
  void longScanDrivesOutNothing() {
    ScanCache small = new ScanCache(40_000);
    small.scan(bytes(0), bytes(100), ALL, ALL, false, 1, source(1));
    for (int i = 1_000; i < 3_000; i++) {
      versions.firstEntry().getValue().put(key(i), i);
    }
    small.scan(
        Key.utf8("1").unsafeBytes(), Key.utf8("9").unsafeBytes(), ALL, ALL, false, 1, source(1));
    small.scan(bytes(0), bytes(100), ALL, ALL, false, 1, source(1));

    assertThat(reads).filteredOn("000-100"::equals).hasSize(1);
  }

  @Test
  void longScanOfAFewLargeRowsDrivesOutNothing() {
    ScanCache small = new ScanCache(40_000);
    small.scan(bytes(0), bytes(100), ALL, ALL, false, 1, source(1));
    KeyValue large = new KeyValue(key(200), new byte[100_000]);
    small.scan(
        bytes(200),
        bytes(300),
        ALL,
        ALL,
        false,
        1,
        (begin, end, rows, bytes, reverse) -> new ScanPortion(List.of(large), false));
    small.scan(bytes(0), bytes(100), ALL, ALL, false, 1, source(1));

    assertThat(reads).containsExactly("000-100");
  }

  @Test
  void cacheOfNoBytesKeepsNothing() {
    ScanCache none = new ScanCache(0);
    none.scan(bytes(0), bytes(100), ALL, ALL, false, 1, source(1));
    none.scan(bytes(0), bytes(100), ALL, ALL, false, 1, source(1));

    assertThat(none.size()).isZero();
    assertThat(reads).hasSize(2);
  }

  @ParameterizedTest
  @SeedSource(count = 20)
  void everyScanIsWhatItsVersionHas(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] latest = {1};
    duringRead =
        () -> {
          if (random.nextInt(4) == 0) {
            change(random, ++latest[0]);
          }
        };
    for (int step = 0; step < 2_000; step++) {
      if (random.nextInt(8) == 0) {
        change(random, ++latest[0]);
      }
      long version = Math.max(1, latest[0] - random.nextInt(3) / 2);
      int from = random.nextInt(ROWS);
      int to = Math.min(999, from + random.nextInt(500));
      int rows = random.nextBoolean() ? ALL : random.nextInt(1, 300);
      int bytes = random.nextBoolean() ? ALL : random.nextInt(1, 300 * ROW_BYTES);
      scan(from, to, rows, bytes, random.nextBoolean(), version);
    }
    assertThat(reads).as("scans that were not answered from the cache").hasSizeLessThan(2_500);
  }

  @Test
  void rowsAreUnchangedFromWhereTheyWereReadToTheNextWrite() {
    write(30, 7, 2);
    scan(0, 300, 3);
    assertThat(isUnchanged(10, 290, 3, 3)).isTrue();
    assertThat(isUnchanged(10, 290, 3, 4)).isTrue();
    assertThat(isUnchanged(10, 290, 2, 4)).isFalse();
    assertThat(isUnchanged(10, 290, 5, 4)).isFalse();
    assertThat(isUnchanged(10, 310, 3, 4)).isFalse();
    write(200, 7, 5);
    assertThat(isUnchanged(10, 128, 3, 5)).isTrue();
    assertThat(isUnchanged(10, 129, 3, 5)).isFalse();
  }

  @ParameterizedTest
  @SeedSource(count = 20)
  void rowsThatAreSaidToBeUnchangedAre(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int unchanged = 0;
    for (long version = 2; version < 2_000; version++) {
      change(random, version);
      int from = random.nextInt(ROWS);
      int to = from + random.nextInt(1, 100);
      scan(random.nextInt(from + 1), Math.min(999, to + random.nextInt(200)), version);
      long since = Math.max(1, version - random.nextInt(10));
      if (isUnchanged(from, to, since, version)) {
        unchanged++;
        assertThat(portion(since, bytes(from), bytes(to), ALL, ALL, false))
            .as("seed %d, versions %d and %d", seed, since, version)
            .isEqualTo(portion(version, bytes(from), bytes(to), ALL, ALL, false));
      }
    }
    assertThat(unchanged).isPositive();
  }

  private boolean isUnchanged(int from, int to, long since, long version) {
    return cache.isUnchanged(bytes(from), bytes(to), since, version);
  }

  private void change(SplittableRandom random, long version) {
    int at = random.nextInt(ROWS);
    if (random.nextInt(5) == 0) {
      clear(at, at + random.nextInt(1, 40), version);
    } else {
      write(at, random.nextInt(100), version);
    }
  }

  private void write(int key, int value, long version) {
    NavigableMap<Key, Integer> rows = new TreeMap<>(versions.lastEntry().getValue());
    rows.put(key(key), value);
    versions.put(version, rows);
    cache.writing(version);
    cache.written(bytes(key), version);
  }

  private void clear(int from, int to, long version) {
    NavigableMap<Key, Integer> rows = new TreeMap<>(versions.lastEntry().getValue());
    rows.subMap(key(from), key(to)).clear();
    versions.put(version, rows);
    cache.writing(version);
    cache.cleared(bytes(from), bytes(to), version);
  }

  private ScanPortion scan(int from, int to, long version) {
    return scan(from, to, ALL, version);
  }

  private ScanPortion scan(int from, int to, int rows, long version) {
    return scan(from, to, rows, ALL, false, version);
  }

  private void scanBack(int from, int to, int rows, long version) {
    scan(from, to, rows, ALL, true, version);
  }

  private ScanPortion scan(int from, int to, int rows, int bytes, boolean reverse, long version) {
    ScanPortion found =
        cache.scan(bytes(from), bytes(to), rows, bytes, reverse, version, source(version));
    ScanPortion expected = portion(version, bytes(from), bytes(to), rows, bytes, reverse);
    assertThat(found.rows()).isEqualTo(expected.rows());
    assertThat(found.more()).isEqualTo(expected.more());
    return found;
  }

  private ScanCache.Source source(long version) {
    return (begin, end, rows, bytes, reverse) -> {
      reads.add(reverse ? text(end) + "-" + text(begin) : text(begin) + "-" + text(end));
      ScanPortion portion = portion(version, begin, end, rows, bytes, reverse);
      duringRead.run();
      return portion;
    };
  }

  private ScanPortion portion(
      long version, byte[] begin, byte[] end, int rows, int bytes, boolean reverse) {
    List<KeyValue> found = new ArrayList<>();
    if (Key.wrap(begin).compareTo(Key.wrap(end)) < 0) {
      versions
          .floorEntry(version)
          .getValue()
          .subMap(Key.wrap(begin), Key.wrap(end))
          .forEach((key, value) -> found.add(new KeyValue(key, new byte[] {value.byteValue()})));
    }
    List<KeyValue> ordered = reverse ? found.reversed() : found;
    int most = Math.min(rows, (int) Math.ceilDiv((long) bytes, ROW_BYTES));
    return ordered.size() < most
        ? new ScanPortion(List.copyOf(ordered), false)
        : new ScanPortion(List.copyOf(ordered.subList(0, most)), true);
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8).replace("\0", "+");
  }

  private static Key key(int number) {
    return Key.utf8("%03d".formatted(number));
  }

  private static byte[] bytes(int number) {
    return key(number).unsafeBytes();
  }
}
