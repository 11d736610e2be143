package dev.tidemark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PhaseTest {
  @Test
  void aStackBelongsToTheFirstPhaseOfWhichItHasAFrame() {
    List<String> frames =
        List.of(
            "org.rocksdb.RocksDB.write1",
            "org.rocksdb.RocksDB.write",
            "dev.tidemark.embedded.internal.storage.RocksStorage.write");
    assertThat(Phase.of(frames)).isEqualTo(Phase.WRITE);
    assertThat(Phase.of(List.of("java.lang.Object.hashCode"))).isEqualTo(Phase.OTHER);
  }

  @Test
  void theFrameShownSaysWhereItWasCalledFrom() {
    List<String> frames =
        List.of(
            "java.util.Arrays.mismatch", "dev.tidemark.embedded.internal.resolve.SortedRun.find");
    assertThat(Phase.RESOLVE.telling(frames))
        .isEqualTo(
            "java.util.Arrays.mismatch in dev.tidemark.embedded.internal.resolve.SortedRun.find");
  }
}
