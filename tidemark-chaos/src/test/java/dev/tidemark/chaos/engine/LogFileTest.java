package dev.tidemark.chaos.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class LogFileTest {
  @TempDir Path directory;

  @Test
  void findsEveryRecordAcrossBlocksWithItsContent() throws RocksDBException {
    SplittableRandom random = new SplittableRandom(1);
    byte[][] values = new byte[100][];
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB rocks = RocksDB.open(options, directory.toString())) {
      for (int i = 0; i < values.length; i++) {
        values[i] = new byte[random.nextInt(1, 50_000)];
        random.nextBytes(values[i]);
        rocks.put(ByteBuffer.allocate(4).putInt(i).array(), values[i]);
      }
      LogFile log = LogFile.newest(directory).orElseThrow();
      assertThat(log.records()).hasSize(values.length);
      for (int i = 0; i < values.length; i++) {
        assertThat(log.content(log.records().get(i))).endsWith(values[i]);
      }
      assertThat(log.records().getLast().end()).isEqualTo(log.size());
    }
  }

  @Test
  void leavesOutARecordThatIsCut() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB rocks = RocksDB.open(options, directory.toString())) {
      rocks.put(new byte[] {1}, new byte[1_000]);
      rocks.put(new byte[] {2}, new byte[1_000]);
    }
    Path cut = directory.resolve("cut");
    LogFile whole = LogFile.newest(directory).orElseThrow();
    Files.write(cut, java.util.Arrays.copyOf(whole.bytes(), whole.size() - 1));
    assertThat(LogFile.read(cut).records()).hasSize(whole.records().size() - 1);
  }
}
