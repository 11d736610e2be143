package dev.tidemark.records.internal.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.changes.ChangePosition;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogReaderTest {
  private static final Subspace LOG = Subspace.of("log", 7);
  private static final int PREFIX = LOG.prefix().size();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 65_535, 65_536, 0xffffff, 0x1000000, Integer.MAX_VALUE})
  void everyKeyOfARowIsReadAsItsTupleIs(int sequence) {
    for (long version : new long[] {1, 0x1234_5678_9abc_def0L, Long.MAX_VALUE}) {
      for (int batch : new int[] {0, 1, 0x80ff, 0xffff}) {
        Versionstamp commit = Versionstamp.of(version, batch, 0);
        for (Versionstamp before : List.of(commit, Versionstamp.of(version - 1, batch, 0))) {
          assertThat(LogReader.position(LOG, PREFIX, LOG.pack(commit, sequence), before))
              .isEqualTo(new ChangePosition(commit, sequence));
        }
      }
    }
  }

  @Test
  void aPieceIsNoBeginOfARow() {
    Versionstamp commit = Versionstamp.of(9, 0, 0);
    for (int sequence : new int[] {0, 1, 256}) {
      assertThatThrownBy(
              () -> LogReader.position(LOG, PREFIX, LOG.pack(commit, sequence, 1), commit))
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("piece");
    }
  }
}
