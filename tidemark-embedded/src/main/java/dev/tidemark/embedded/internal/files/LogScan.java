package dev.tidemark.embedded.internal.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Consumer;

/** One pass over a file in the format of RocksDB's logs, from its begin to the first bad byte. */
final class LogScan {
  private final LogBlocks blocks;
  private final int keep;
  private final Consumer<byte[]> records;
  private final ByteArrayOutputStream record = new ByteArrayOutputStream();

  /** Where the first bad fragment begins, or a record that has no end; -1 if there is none. */
  private long bad = -1;

  /** Where the last whole record ends. */
  private long wholeEnd;

  private LogScan(LogBlocks blocks, long from, int keep, Consumer<byte[]> records) {
    this.blocks = blocks;
    this.wholeEnd = from;
    this.keep = keep;
    this.records = records;
  }

  /**
   * Reads {@code blocks}, and tells {@code records} the first {@code keep} bytes of each record.
   */
  static LogScan of(LogBlocks blocks, int keep, Consumer<byte[]> records) throws IOException {
    LogScan scan = new LogScan(blocks, 0, keep, records);
    scan.bad = scan.firstBad();
    return scan;
  }

  /** Where the last whole record ends, if one ends at {@code from}. */
  static long wholeEnd(LogBlocks blocks, long from) throws IOException {
    LogScan scan = new LogScan(blocks, from, 0, record -> {});
    scan.bad = scan.firstBad();
    return scan.wholeEnd;
  }

  long bad() {
    return bad;
  }

  long wholeEnd() {
    return wholeEnd;
  }

  private long firstBad() throws IOException {
    long at = wholeEnd;
    long begin = -1;
    while (at + LogBlocks.HEADER <= blocks.size()) {
      if (!blocks.hasHeader(at)) {
        at += LogBlocks.leftInBlock(at);
        continue;
      }
      if (blocks.isZero(at) && isZeroFrom(at)) {
        return begin;
      }
      if (!blocks.isGood(at)) {
        return at;
      }
      int type = blocks.type(at);
      if (type == LogBlocks.FULL || type == LogBlocks.FIRST) {
        begin = at;
        record.reset();
      }
      blocks.copy(at, keep - record.size(), record);
      at += LogBlocks.HEADER + blocks.length(at);
      if (type == LogBlocks.FULL || type == LogBlocks.LAST) {
        records.accept(record.toByteArray());
        begin = -1;
        wholeEnd = at;
      }
    }
    if (begin >= 0) {
      return begin;
    }
    return at < blocks.size() && !isZeroFrom(at) ? at : -1;
  }

  private boolean isZeroFrom(long at) throws IOException {
    return blocks.endWithoutZeros(at) == at;
  }
}
