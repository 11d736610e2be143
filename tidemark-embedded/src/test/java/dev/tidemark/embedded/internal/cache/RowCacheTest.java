package dev.tidemark.embedded.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is kept is used just for versions that it is right for. */
class RowCacheTest {
  private static final byte[] KEY = {1, 2, 3, 4, 5};
  private static final byte[] VALUE = {7};
  private static final int VERSIONS = 100_000;

  private final RowCache cache = new RowCache(1 << 20);

  @Test
  void rowIsThereForItsVersionAndLaterOnes() {
    cache.put(KEY, VALUE, 10);

    assertThat(cache.get(KEY, 10)).isEqualTo(VALUE);
    assertThat(cache.get(KEY, 11)).isEqualTo(VALUE);
    assertThat(cache.get(KEY, 9)).isNull();
    assertThat(cache.get(new byte[] {1, 2, 3, 4, 6}, 10)).isNull();
  }

  @Test
  void writeEndsWhatWasReadBefore() {
    cache.put(KEY, VALUE, 10);
    cache.written(KEY, null, 11);

    assertThat(cache.get(KEY, 10)).isNull();
    assertThat(cache.get(KEY, 11)).isNull();
  }

  @Test
  void rowReadBeforeAWriteAndKeptAfterItIsNeverUsed() {
    cache.written(KEY, null, 11);
    cache.put(KEY, VALUE, 10);

    assertThat(cache.get(KEY, 12)).isNull();
  }

  @Test
  void twoRowsOfOnePlaceAreBothKept() {
    List<byte[]> together = keysOfOnePlace();
    byte[] one = together.get(0);
    byte[] other = together.get(1);
    cache.put(one, VALUE, 10);
    cache.put(other, new byte[] {8}, 10);

    assertThat(cache.get(one, 10)).isEqualTo(VALUE);
    assertThat(cache.get(other, 10)).containsExactly(8);

    cache.written(other, new byte[] {9}, 11);
    assertThat(cache.get(other, 11)).containsExactly(9);
    assertThat(cache.get(one, 11)).isNull(); // Its place has been written to.

    cache.put(one, VALUE, 11);
    cache.written(one, null, 12);
    assertThat(cache.get(one, 12)).isNull();
  }

  /** A third row takes the place of the first. */
  @Test
  void aPlaceHasNoMoreThanTwoRows() {
    List<byte[]> together = keysOfOnePlace();
    together.forEach(key -> cache.put(key, VALUE, 10));

    assertThat(together.stream().filter(key -> cache.get(key, 10) != null).count()).isEqualTo(2);
  }

  /** Each version writes all keys twice. */
  @Test
  void readersAtOnceSeeTheLastWriteOfTheirVersionOrNothing() throws Exception {
    List<byte[]> together = keysOfOnePlace();
    AtomicLong published = new AtomicLong(1);
    List<FutureTask<Boolean>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int first = i;
      readers.add(
          new FutureTask<>(
              () -> {
                for (int next = first; published.get() < VERSIONS; next++) {
                  byte[] key = together.get(next % together.size());
                  long version = published.get();
                  byte[] found = cache.get(key, version);
                  if (found == null) {
                    cache.put(key, number(version), version);
                  } else {
                    assertThat(found).isEqualTo(number(version));
                  }
                }
                return true;
              }));
      Thread.ofPlatform().daemon().start(readers.getLast());
    }
    for (long version = 2; version <= VERSIONS; version++) {
      for (byte[] key : together) {
        cache.written(key, number(-version), version);
      }
      for (byte[] key : together) {
        cache.written(key, number(version), version);
      }
      published.set(version);
    }
    for (FutureTask<Boolean> reader : readers) {
      assertThat(reader.get()).isTrue();
    }
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** Keys of one place: keeping any of them, written after the others were read, ends those. */
  private static List<byte[]> keysOfOnePlace() {
    RowCache probe = new RowCache(1 << 20);
    probe.put(KEY, VALUE, 1);
    List<byte[]> found = new ArrayList<>(List.of(KEY));
    for (int i = 0; found.size() < 3; i++) {
      byte[] key = {6, (byte) (i >>> 16), (byte) (i >>> 8), (byte) i};
      probe.written(key, null, i + 2L);
      if (probe.get(KEY, i + 2L) == null) {
        found.add(key);
        probe.put(KEY, VALUE, i + 2L);
      }
    }
    return found;
  }

  @Test
  void writeReplacesARowThatIsThere() {
    cache.put(KEY, VALUE, 10);
    cache.written(KEY, new byte[] {8, 9}, 11);

    assertThat(cache.get(KEY, 11)).containsExactly(8, 9);
    assertThat(cache.get(KEY, 12)).containsExactly(8, 9);
    assertThat(cache.get(KEY, 10)).isNull();
  }

  @Test
  void writeOfARowThatIsNotThereLeavesItOut() {
    cache.put(KEY, VALUE, 10);
    long size = cache.size();
    cache.written(new byte[] {1, 2, 3, 4, 6}, VALUE, 11);

    assertThat(cache.get(new byte[] {1, 2, 3, 4, 6}, 11)).isNull();
    assertThat(cache.size()).isEqualTo(size);
  }

  @Test
  void lastWriteOfAVersionCounts() {
    cache.put(KEY, VALUE, 10);
    cache.written(KEY, new byte[] {8}, 11);
    cache.written(KEY, new byte[] {9}, 11);
    assertThat(cache.get(KEY, 11)).containsExactly(9);

    cache.written(KEY, null, 11);
    assertThat(cache.get(KEY, 11)).isNull();
  }

  @Test
  void reportOfAnOlderReaderDoesNotCoverAWrite() {
    cache.put(KEY, VALUE, 10);
    cache.written(KEY, new byte[] {8}, 11);
    cache.put(KEY, VALUE, 10);

    assertThat(cache.get(KEY, 11)).containsExactly(8);
  }

  @Test
  void rowsThatGrowByWritesStayWithinTheSize() {
    for (int i = 0; i < 4_000; i++) {
      byte[] key = {(byte) i, (byte) (i >> 8), 1};
      cache.put(key, VALUE, 10);
      cache.written(key, new byte[10_000], 11);
    }

    assertThat(cache.size()).isLessThan((1L << 20) + 20_000);
  }

  @Test
  void rowOfTheWriteItselfIsKept() {
    cache.written(KEY, null, 11);
    cache.put(KEY, VALUE, 11);

    assertThat(cache.get(KEY, 11)).isEqualTo(VALUE);
  }

  @Test
  void clearOfARangeEndsWhatIsInIt() {
    cache.put(KEY, VALUE, 10);
    cache.cleared(new byte[] {1, 2, 3}, new byte[] {1, 2, 4}, 11);

    assertThat(cache.get(KEY, 11)).isNull();
  }

  @Test
  void clearOfEverythingEndsEverything() {
    cache.put(KEY, VALUE, 10);
    cache.cleared(new byte[0], new byte[] {(byte) 0xff}, 11);

    assertThat(cache.get(KEY, 11)).isNull();
  }

  @Test
  void clearElsewhereLeavesRowsAlone() {
    cache.put(KEY, VALUE, 10);
    cache.cleared(new byte[] {1, 3, 0}, new byte[] {1, 3, 9}, 11);

    assertThat(cache.get(KEY, 11)).isEqualTo(VALUE);
  }

  @Test
  void rowsBeyondTheSizeAreNotKept() {
    RowCache small = new RowCache(1 << 20);
    for (int i = 0; i < 10_000; i++) {
      small.put(new byte[] {(byte) i, (byte) (i >> 8), 1}, new byte[1_000], 10);
    }

    assertThat(small.size()).isBetween(500_000L, (1L << 20) + 2_000);
  }

  @Test
  void cacheOfNoSizeHasNothing() {
    RowCache none = new RowCache(0);
    none.put(KEY, VALUE, 10);
    none.written(KEY, null, 10);

    assertThat(none.get(KEY, 10)).isNull();
  }

  @Test
  void callerMayChangeWhatItGets() {
    cache.put(KEY, VALUE.clone(), 10);
    byte[] got = cache.get(KEY, 10);
    if (got != null) {
      got[0] = 99;
    }

    assertThat(cache.get(KEY, 10)).isEqualTo(VALUE);
  }
}
