package dev.tidemark.embedded.internal.files;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Zeros between the last record of a log and its end are reserved room; see LogRoom.
 *
 * A crash can leave a last record that is cut off or, when the machine went down, one with blocks
 * that never reached the disk. Neither was acknowledged. RocksDB treats any bad bytes as such an
 * end if its reader finds nothing whole behind them, also a wrong length that points beyond the
 * end; and some bytes send its reader into an endless loop. So the logs are read here first. Bad
 * bytes behind which no record begins are the end of their log: they are moved aside, from the
 * last whole record on. Other bad bytes are damage.
 *
 * An end, bad or not, is damage too if the next log shows that something is missing. A record
 * begins with the number of its first write (8 bytes) and the count of its writes (4), and the
 * next record goes on from there, in this log or the next. When a full disk cut off a record and
 * commits went on in another log, none is missing.
 *
 * Without syncs, a machine that goes down can leave any part of what it had not written out. Then
 * only the commits before that part are certain, and the rest is moved aside with the later logs.
 *
 * All logs are checked first; moves are only planned until then.
 */

/** Checks the write-ahead logs of a database before RocksDB opens them. */
public final class LogCheck {
  private static final int NUMBERS = Long.BYTES + Integer.BYTES;
  private static final int UNKNOWN = -1;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final Logger LOGGER = System.getLogger("dev.tidemark.embedded");
  private static final Pattern NAME = Pattern.compile("\\d+\\.log");

  private final boolean synced;

  /** Where the last whole record of each log that stays ends, by the number of the log. */
  private final Map<Long, Long> ends = new TreeMap<>();

  private final List<Move> moves = new ArrayList<>();

  /** The number that the next write has, or less, if it is known. */
  private long nextWrite;

  /**
   * Bytes of {@code log} from {@code from} to {@code to} that do not belong to it.
   *
   * @param commits whether there are whole commits among them, and not only the begin of one
   */
  private record Move(Path log, long from, long to, boolean commits) {
    /** Says what became of them, since nobody else learns of it. */
    void tell(Path aside) {
      if (commits) {
        LOGGER.log(
            Level.WARNING,
            "Commits in {0} are not used, because earlier ones are missing, as after the machine"
                + " went down while the database was used without syncs. They are kept in {1}",
            log,
            aside);
      } else {
        LOGGER.log(
            Level.INFO,
            "The log {0} ended within a commit, as after a crash. What there was of it is kept in"
                + " {1}",
            log,
            aside);
      }
    }
  }

  private LogCheck(boolean synced, long nextWrite) {
    this.synced = synced;
    this.nextWrite = nextWrite;
  }

  /**
   * Checks the logs in {@code data} that {@code manifest} needs, and changes nothing.
   *
   * @param synced whether every commit was on the disk before the next one
   * @throws dev.tidemark.kv.StorageException of kind {@code DAMAGED} if one is damaged before its
   *     end
   */
  static LogCheck of(Path data, Manifest manifest, boolean synced) throws IOException {
    LogCheck check = new LogCheck(synced, manifest.lastWrite() + 1);
    List<Path> logs =
        logs(data).stream().filter(log -> number(log) >= manifest.firstLog()).toList();
    boolean goOn = logs.isEmpty() || check.beginsInTime(logs);
    for (int i = 0; i < logs.size() && goOn; i++) {
      goOn = check.log(logs.get(i), logs.subList(i + 1, logs.size()));
    }
    return check;
  }

  /** The logs in {@code data}, in the order in which they were written. */
  public static List<Path> logs(Path data) throws IOException {
    try (Stream<Path> entries = Files.list(data)) {
      return entries
          .filter(entry -> NAME.matcher(entry.getFileName().toString()).matches())
          .sorted(Comparator.comparingLong(LogCheck::number))
          .toList();
    }
  }

  static long number(Path log) {
    String name = log.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  static Path log(Path data, long number) {
    return data.resolve("%06d.log".formatted(number));
  }

  /** Whether a record begins in {@code log}, which may be written at the same time. */
  static boolean hasBegun(Path log) throws IOException {
    try (LogBlocks blocks = new LogBlocks(log)) {
      return blocks.hasHeader(0) && !blocks.isZero(0);
    }
  }

  /** Where the last whole record of each log that stays ends, by the number of the log. */
  Map<Long, Long> ends() {
    return ends;
  }

  /** Whether there is something to be moved aside. */
  boolean hasMoves() {
    return !moves.isEmpty();
  }

  /** Moves aside what does not belong to the logs. */
  void moveAside() throws IOException {
    for (Move move : moves) {
      Path aside = move.log.resolveSibling(move.log.getFileName() + ".torn-" + move.from);
      copy(move, aside);
      try (FileOutputStream out = new FileOutputStream(move.log.toFile(), true)) {
        out.getChannel().truncate(move.from);
        out.getFD().sync();
      }
      if (move.from == 0 && !ends.containsKey(number(move.log))) {
        Files.delete(move.log);
      }
      DirectoryFormat.syncDirectory(move.log.resolveSibling("."));
      move.tell(aside);
    }
  }

  private static void copy(Move move, Path aside) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(move.log);
        FileOutputStream out = new FileOutputStream(aside.toFile())) {
      in.skipNBytes(move.from);
      for (long left = move.to - move.from; left > 0; ) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          break;
        }
        out.write(buffer, 0, read);
        left -= read;
      }
      out.getFD().sync();
    }
  }

  /** Whether nothing is missing before the first record of {@code logs}. */
  private boolean beginsInTime(List<Path> logs) throws IOException {
    for (Path log : logs) {
      try (LogBlocks blocks = new LogBlocks(log)) {
        if (blocks.beginsRecord(0)) {
          return firstWrite(blocks, 0) <= nextWrite || isExcused(logs, log);
        }
        if (blocks.hasHeader(0) && !blocks.isZero(0)) {
          return true; // It is damaged, or cut off, which is checked next.
        }
      }
    }
    return true;
  }

  private boolean isExcused(List<Path> logs, Path log) throws IOException {
    if (synced) {
      throw StorageErrors.damaged(
          "The log %s does not begin where the tables and the logs before it end: one is missing, or"
                  .formatted(log)
              + " was cut",
          StorageErrors.WITHOUT_SYNCS);
    }
    asideWhole(logs);
    return false;
  }

  /** Checks a log; false if the {@code later} ones cannot be used. */
  private boolean log(Path log, List<Path> later) throws IOException {
    try (LogBlocks blocks = new LogBlocks(log)) {
      LogScan scan = LogScan.of(blocks, NUMBERS, this::record);
      ends.put(number(log), scan.wholeEnd());
      String next = missedRecord(blocks, scan.bad(), later);
      if (next != null && synced) {
        long bad = scan.bad() < 0 ? scan.wholeEnd() : scan.bad();
        throw StorageErrors.damaged(
            "The log %s is damaged at byte %,d: good records follow at %s"
                .formatted(log, bad, next),
            StorageErrors.WITHOUT_SYNCS);
      }
      if (scan.bad() >= 0) {
        long end = scan.wholeEnd();
        boolean commits = blocks.nextRecord(scan.bad() + 1) >= 0;
        moves.add(new Move(log, end, blocks.endWithoutZeros(end), commits));
      }
      if (next != null) {
        asideWhole(later);
      }
      return next == null;
    }
  }

  private void asideWhole(List<Path> logs) throws IOException {
    for (Path log : logs) {
      long size = Files.size(log);
      moves.add(new Move(log, 0, size, size > 0));
    }
  }

  private void record(byte[] record) {
    nextWrite = UNKNOWN;
    if (record.length == NUMBERS) {
      ByteBuffer numbers = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
      nextWrite = numbers.getLong() + numbers.getInt();
    }
  }

  /** The begin of a record which shows that an earlier one is missing; null for none. */
  private @Nullable String missedRecord(LogBlocks blocks, long bad, List<Path> later)
      throws IOException {
    long here = bad < 0 ? -1 : blocks.nextRecord(bad + 1);
    return here >= 0 ? "byte %,d".formatted(here) : firstMissed(later);
  }

  private @Nullable String firstMissed(List<Path> later) throws IOException {
    for (Path log : later) {
      try (LogBlocks other = new LogBlocks(log)) {
        long there = other.nextRecord(0);
        if (there >= 0) {
          boolean missed = nextWrite != UNKNOWN && firstWrite(other, there) > nextWrite;
          return missed ? "byte %,d of %s".formatted(there, log.getFileName()) : null;
        }
      }
    }
    return null;
  }

  /** The number of the first write in the record that begins at {@code at}, if it is known. */
  private static long firstWrite(LogBlocks blocks, long at) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    blocks.copy(at, Long.BYTES, bytes);
    return bytes.size() < Long.BYTES
        ? UNKNOWN
        : ByteBuffer.wrap(bytes.toByteArray()).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
