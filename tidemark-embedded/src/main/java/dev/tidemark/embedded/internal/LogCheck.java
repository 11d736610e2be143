package dev.tidemark.embedded.internal;

import dev.tidemark.kv.StorageException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/*
 * RocksDB's log is a row of blocks of 32 KiB. A block holds fragments of records: a masked CRC-32C
 * (4 bytes, of the type and the bytes), a length (2), a type (1), the bytes. Where no header fits any
 * more, a block ends with zeros. A record is one fragment, or a first one, some in the middle and a
 * last one. Zeros behind the last record, up to the end of the log, are room for others; see LogRoom.
 *
 * A crash can leave a last record that is cut off, or, when the machine went down, one of which some
 * blocks never reached the disk. Neither was acknowledged. RocksDB takes anything bad for such an end
 * if nothing whole follows in its own reckoning, also a length that is wrong and now points beyond the
 * end, and some bytes send its reader into an endless loop. So the logs are read here first. Bad bytes
 * behind which no record begins are the end of their log: they are moved aside, from the last whole
 * record on. Other bad bytes are damage.
 *
 * So is a bad end if the next log shows that something is missing. A record begins with the number of
 * its first write (8 bytes) and how many it has (4), and the next one goes on from there, in this log
 * or the next. When a full disk cut off a record and commits went on in another log, none is missing.
 *
 * Without syncs a machine that goes down can leave any part of what it had not written out. What was
 * committed before is then all that holds, and the rest is moved aside with the later logs.
 */

/** Looks through the write-ahead logs of a database before RocksDB opens them. */
final class LogCheck {
  static final int BLOCK = 32_768;
  static final int HEADER = 7;

  private static final int TYPE_OFFSET = 6;
  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int LAST = 4;
  private static final int NUMBERS = Long.BYTES + Integer.BYTES;
  private static final int UNKNOWN = -1;
  private static final int CHECKSUM_MASK = 0xa282ead8;
  private static final Pattern NAME = Pattern.compile("\\d+\\.log");

  private final Path file;
  private final ByteBuffer bytes;

  /** Where the last whole record ends. */
  private int wholeEnd;

  /** The number that the write after the last whole record has, if it is known. */
  private long nextWrite = UNKNOWN;

  private LogCheck(Path file) throws IOException {
    this.file = file;
    this.bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Checks the logs in {@code data}, which nobody else may have open.
   *
   * @param synced whether every commit was on the disk before the next one
   * @throws StorageException of kind {@code DAMAGED} if one is damaged before its end
   */
  static void run(Path data, boolean synced) {
    try {
      List<Path> logs = logs(data);
      for (int i = 0; i < logs.size(); i++) {
        List<Path> later = logs.subList(i + 1, logs.size());
        if (!new LogCheck(logs.get(i)).check(later, synced)) {
          return;
        }
      }
    } catch (IOException failure) {
      throw StorageErrors.of("Reading the logs in " + data, failure);
    }
  }

  /** The logs in {@code data}, in the order in which they were written. */
  static List<Path> logs(Path data) throws IOException {
    try (Stream<Path> entries = Files.list(data)) {
      return entries
          .filter(entry -> NAME.matcher(entry.getFileName().toString()).matches())
          .sorted(
              Comparator.comparingInt((Path log) -> log.toString().length()).thenComparing(p -> p))
          .toList();
    }
  }

  /** Checks this log; false if the {@code later} ones are gone. */
  private boolean check(List<Path> later, boolean synced) throws IOException {
    int bad = firstBad();
    if (bad < 0) {
      return true;
    }
    String next = missedRecord(bad, later);
    if (next == null) {
      moveAside(wholeEnd);
      return true;
    }
    if (synced) {
      throw new StorageException(
          StorageException.Kind.DAMAGED,
          ("The log %s is damaged at byte %,d: good records follow at %s. Nothing was changed."
                  + " Restore a backup. If the machine went down while the database was used without"
                  + " syncs, open it so: what was committed before that byte is kept, and the rest"
                  + " moved aside")
              .formatted(file, bad, next),
          null);
    }
    for (Path log : later) {
      Files.move(log, log.resolveSibling(log.getFileName() + ".torn-0"));
    }
    moveAside(wholeEnd);
    return false;
  }

  /** Where a record begins that tells that one before it is missing; null for nowhere. */
  private @Nullable String missedRecord(int bad, List<Path> later) throws IOException {
    int here = nextRecord(bad + 1);
    if (here >= 0) {
      return "byte %,d".formatted(here);
    }
    for (Path log : later) {
      LogCheck other = new LogCheck(log);
      int there = other.nextRecord(0);
      if (there >= 0) {
        boolean missed = nextWrite != UNKNOWN && other.firstWrite(there) > nextWrite;
        return missed ? "byte %,d of %s".formatted(there, log.getFileName()) : null;
      }
    }
    return null;
  }

  /** Where the first fragment begins that is not good; -1 if all records are whole. */
  private int firstBad() {
    int at = 0;
    int record = -1;
    while (at + HEADER <= size()) {
      int left = BLOCK - at % BLOCK;
      if (left < HEADER) {
        at += left;
        continue;
      }
      if (isZero(at) && isZeroToTheEnd(at)) {
        return record;
      }
      if (!isGood(at)) {
        return at;
      }
      int type = bytes.get(at + TYPE_OFFSET);
      record = type == FULL || type == FIRST ? at : record;
      at += HEADER + length(at);
      if (type == FULL || type == LAST) {
        nextWrite = writeAfter(record);
        record = -1;
        wholeEnd = at;
      }
    }
    if (record >= 0) {
      return record;
    }
    return at < size() && !isZeroToTheEnd(at) ? at : -1;
  }

  /** Where a record begins with a good fragment at or after {@code from}; -1 for nowhere. */
  private int nextRecord(int from) {
    for (int at = from; at + HEADER <= size(); at++) {
      int type = bytes.get(at + TYPE_OFFSET);
      if ((type == FULL || type == FIRST) && length(at) > 0 && isGood(at)) {
        return at;
      }
    }
    return -1;
  }

  /** The number of the first write in the record that begins at {@code at}, if it is known. */
  private long firstWrite(int at) {
    return at >= 0 && length(at) >= NUMBERS ? bytes.getLong(at + HEADER) : UNKNOWN;
  }

  private long writeAfter(int record) {
    long first = firstWrite(record);
    return first == UNKNOWN ? UNKNOWN : first + bytes.getInt(record + HEADER + Long.BYTES);
  }

  /** Whether a whole fragment with its own checksum is at {@code at}. */
  private boolean isGood(int at) {
    int type = bytes.get(at + TYPE_OFFSET);
    int length = length(at);
    return type >= FULL
        && type <= LAST
        && HEADER + length <= BLOCK - at % BLOCK
        && at + HEADER + length <= size()
        && checksumFits(at, length);
  }

  private void moveAside(int from) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".torn-" + from);
    try (FileOutputStream out = new FileOutputStream(aside.toFile())) {
      out.write(bytes.array(), from, endWithoutZeros() - from);
      out.getFD().sync();
    }
    try (FileOutputStream out = new FileOutputStream(file.toFile(), true)) {
      out.getChannel().truncate(from);
      out.getFD().sync();
    }
    DirectoryFormat.syncDirectory(file.resolveSibling("."));
  }

  private int endWithoutZeros() {
    int end = size();
    while (end > wholeEnd && bytes.get(end - 1) == 0) {
      end--;
    }
    return end;
  }

  private int size() {
    return bytes.capacity();
  }

  private int length(int at) {
    return bytes.getShort(at + Integer.BYTES) & 0xffff;
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
