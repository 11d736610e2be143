package dev.tidemark.embedded.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogScanTest {
  private static final int BLOCKS = 2_048;
  private static final long ALLOCATED_MAX = 4 << 20;

  @TempDir private Path directory;

  @Test
  void logOfManyBlocksIsReadInTheMemoryOfOne() throws IOException {
    Path log = directory.resolve("000001.log");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(log))) {
      byte[] block = blockOfOneRecord();
      for (int i = 0; i < BLOCKS; i++) {
        out.write(block);
      }
    }
    AtomicInteger records = new AtomicInteger();
    long before = allocated();
    try (LogBlocks blocks = new LogBlocks(log)) {
      LogScan scan = LogScan.of(blocks, 12, record -> records.incrementAndGet());
      assertThat(scan.bad()).isNegative();
      assertThat(scan.wholeEnd()).isEqualTo((long) BLOCKS * LogBlocks.BLOCK);
    }
    assertThat(allocated() - before).isLessThan(ALLOCATED_MAX);
    assertThat(records).hasValue(BLOCKS);
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  /** The one fragment of a record, which fills its block. */
  private static byte[] blockOfOneRecord() {
    int length = LogBlocks.BLOCK - LogBlocks.HEADER;
    ByteBuffer block = ByteBuffer.allocate(LogBlocks.BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    block.putShort(4, (short) length).put(6, (byte) LogBlocks.FULL);
    CRC32C checksum = new CRC32C();
    checksum.update(block.array(), 6, 1 + length);
    int crc = Integer.rotateRight((int) checksum.getValue(), 15) + 0xa282ead8;
    return block.putInt(0, crc).array();
  }
}
