package dev.tidemark.embedded.internal;

import dev.tidemark.kv.StorageException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/*
 * RocksDB's log is a row of blocks of 32 KiB. A block holds fragments of records: a masked CRC-32C
 * (4 bytes, of the type and the bytes), a length (2), a type (1), the bytes. Where no header fits any
 * more, a block ends with zeros.
 *
 * A crash can leave a last fragment that is cut off, or, when the machine went down, one whose bytes
 * never reached the disk. Neither was acknowledged. RocksDB drops the first kind by itself; some of
 * the second kind send its reader into an endless loop. So the logs are read here first: bad bytes
 * with no good fragment after them are moved aside, bad bytes with one are damage.
 */

/** Looks through the write-ahead logs of a database before RocksDB opens them. */
final class LogCheck {
  private static final int BLOCK = 32_768;
  private static final int HEADER = 7;
  private static final int TYPE_OFFSET = 6;
  private static final int LAST_DATA_TYPE = 4;
  private static final int CHECKSUM_MASK = 0xa282ead8;

  private final Path file;
  private final ByteBuffer bytes;

  private LogCheck(Path file) throws IOException {
    this.file = file;
    this.bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Checks the logs in {@code data}, which nobody else may have open.
   *
   * @throws StorageException of kind {@code DAMAGED} if one is damaged before its end
   */
  static void run(Path data) {
    try (Stream<Path> entries = Files.list(data)) {
      List<Path> logs =
          entries.filter(entry -> entry.toString().endsWith(".log")).sorted().toList();
      for (Path log : logs) {
        new LogCheck(log).check();
      }
    } catch (IOException failure) {
      throw StorageErrors.of("Reading the logs in " + data, failure);
    }
  }

  private void check() throws IOException {
    int bad = firstBad();
    if (bad < 0) {
      return;
    }
    int good = nextGood(bad + 1);
    if (good >= 0) {
      throw new StorageException(
          StorageException.Kind.DAMAGED,
          ("The log %s is damaged at byte %,d: good records follow at byte %,d. Nothing was changed."
                  + " Restore a backup")
              .formatted(file, bad, good),
          null);
    }
    moveAside(bad);
  }

  /** Where the first fragment begins that is neither good nor just cut off; -1 for none. */
  private int firstBad() {
    int at = 0;
    while (at + HEADER <= size()) {
      int left = BLOCK - at % BLOCK;
      if (left < HEADER) {
        at += left;
        continue;
      }
      int length = length(at);
      int end = at + HEADER + length;
      if (isZero(at)) {
        return isZeroToTheEnd(at) ? -1 : at;
      }
      if (HEADER + length > left) {
        return at;
      }
      if (!isData(at)) {
        return at;
      }
      if (end > size()) {
        return -1; // Cut off.
      }
      if (!checksumFits(at, length)) {
        return at;
      }
      at = end;
    }
    return -1;
  }

  /** Where a good fragment with data begins at or after {@code from}; -1 for none. */
  private int nextGood(int from) {
    for (int at = from; at + HEADER <= size(); at++) {
      int length = length(at);
      boolean possible =
          isData(at)
              && length > 0
              && HEADER + length <= BLOCK - at % BLOCK
              && at + HEADER + length <= size();
      if (possible && checksumFits(at, length)) {
        return at;
      }
    }
    return -1;
  }

  private void moveAside(int from) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".torn-" + from);
    try (FileOutputStream out = new FileOutputStream(aside.toFile())) {
      out.write(bytes.array(), from, size() - from);
      out.getFD().sync();
    }
    try (FileOutputStream out = new FileOutputStream(file.toFile(), true)) {
      out.getChannel().truncate(from);
      out.getFD().sync();
    }
    DirectoryFormat.syncDirectory(file.resolveSibling("."));
  }

  private int size() {
    return bytes.capacity();
  }

  private int length(int at) {
    return bytes.getShort(at + Integer.BYTES) & 0xffff;
  }

  /** Whether a fragment has one of the types that logs of this database have. */
  private boolean isData(int at) {
    int type = bytes.get(at + TYPE_OFFSET);
    return type > 0 && type <= LAST_DATA_TYPE;
  }

  private boolean isZero(int at) {
    return bytes.getInt(at) == 0 && length(at) == 0 && bytes.get(at + TYPE_OFFSET) == 0;
  }

  private boolean isZeroToTheEnd(int from) {
    byte[] all = bytes.array();
    return Arrays.mismatch(all, from, all.length, new byte[all.length - from], 0, all.length - from)
        < 0;
  }

  private boolean checksumFits(int at, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.array(), at + TYPE_OFFSET, 1 + length);
    int crc = (int) checksum.getValue();
    return bytes.getInt(at) == Integer.rotateRight(crc, 15) + CHECKSUM_MASK;
  }
}
