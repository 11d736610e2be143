package dev.tidemark.embedded.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final int MANY = 100_000;

  private final Admission admission = Admission.ofRows();

  @Test
  void aCacheWithRoomKeepsEverything() {
    for (int i = 0; i < MANY; i++) {
      assertThat(admission.admits(false)).isTrue();
    }
  }

  @Test
  void aFullCacheThatIsOfNoUseKeepsLittleUntilItIs() {
    assertThat(kept(admission, 0)).isBetween(MANY / 17, MANY / 2);
    assertThat(admission.isPicky()).isTrue();
    kept(admission, 1);
    assertThat(admission.isPicky()).isFalse();
    assertThat(kept(admission, 1)).isEqualTo(MANY);
  }

  @Test
  void ofScansThatAreOfNoUseLessIsKeptAndSooner() {
    Admission scans = Admission.ofScans();
    assertThat(kept(scans, 0)).isBetween(MANY / 65, MANY / 30);
    kept(scans, 1);
    assertThat(scans.isPicky()).as("half of the scans found").isTrue();
    kept(scans, 3);
    assertThat(kept(scans, 3)).isEqualTo(MANY);
  }

  /** How much is kept of many misses, each with so many hits. */
  private static int kept(Admission admission, int hits) {
    int kept = 0;
    for (int i = 0; i < MANY; i++) {
      for (int j = 0; j < hits; j++) {
        admission.hit();
      }
      kept += admission.admits(true) ? 1 : 0;
    }
    return kept;
  }

  @Test
  void rowsOfWhichThereAreFarTooManyAreSeldomKept() {
    RowCache cache = new RowCache(1 << 20);
    SplittableRandom random = new SplittableRandom(1);
    int written = 0;
    for (int i = 0; i < 4 * MANY; i++) {
      byte[] key = ByteBuffer.allocate(8).putLong(random.nextInt(10_000_000)).array();
      if (cache.get(key, 10) == null) {
        cache.put(key, new byte[100], 10);
        written += i >= 3 * MANY && cache.get(key, 10) != null ? 1 : 0;
      }
    }
    assertThat(written).isLessThan(MANY / 4);
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 500; i++) {
        byte[] key = ByteBuffer.allocate(8).putLong(i).array();
        if (cache.get(key, 10) == null) {
          cache.put(key, new byte[100], 10);
        }
      }
    }
    int hits = 0;
    for (int i = 0; i < 500; i++) {
      hits += cache.get(ByteBuffer.allocate(8).putLong(i).array(), 10) == null ? 0 : 1;
    }
    assertThat(hits).isGreaterThan(300);
  }
}
