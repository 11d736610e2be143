package dev.tidemark.chaos.engine;

import dev.tidemark.chaos.ledger.Layout;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Versionstamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a crash or a bad disk does to the files of a database. Each method says what it did. */
final class Damage {
  private static final int SMALLEST_TABLE = 4_096;

  private final Path directory;
  private final SplittableRandom random;
  private @Nullable Path flippedTable;
  private final Set<Key> acknowledged = new HashSet<>();

  Damage(Path directory, SplittableRandom random, List<Message.Acknowledged> commits) {
    this.directory = directory;
    this.random = random;
    for (Message.Acknowledged commit : commits) {
      acknowledged.add(logKey(commit.stamp()));
    }
  }

  /**
   * Ends the newest log within a record, as a crash in the middle of a write does. Only bytes of
   * which nobody was told are cut; where there are none, the beginning of another record is added.
   */
  Optional<String> tear() {
    Optional<LogFile> newest = LogFile.newest(directory);
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    LogFile log = newest.get();
    int safe = endOfAcknowledged(log);
    if (safe < log.size()) {
      int cut = random.nextInt(safe, log.size());
      write(log.path(), Arrays.copyOf(log.bytes(), cut));
      return Optional.of("cut the last %,d of %,d bytes".formatted(log.size() - cut, log.size()));
    }
    byte[] piece = pieceOfRecord(log);
    write(log.path(), join(log.bytes(), piece));
    return Optional.of("added %,d bytes of a record".formatted(piece.length));
  }

  /** Puts garbage after the last byte of the newest log of which anybody was told. */
  Optional<String> garble() {
    Optional<LogFile> newest = LogFile.newest(directory);
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    LogFile log = newest.get();
    byte[] garbage = new byte[random.nextInt(1, 2_000)];
    random.nextBytes(garbage);
    write(log.path(), join(Arrays.copyOf(log.bytes(), endOfAcknowledged(log)), garbage));
    return Optional.of("garbled the last %,d bytes".formatted(garbage.length));
  }

  /** Changes one bit of an acknowledged commit in the newest log, with other records after it. */
  Optional<String> flipInLog() {
    Optional<LogFile> newest = LogFile.newest(directory);
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    LogFile log = newest.get();
    List<LogFile.Entry> told = log.records().stream().filter(r -> isTold(log, r)).toList();
    if (told.size() < 2) {
      return Optional.empty();
    }
    LogFile.Entry record = told.get(random.nextInt(told.size() - 1));
    LogFile.Span span = record.content().get(random.nextInt(record.content().size()));
    if (span.begin() == span.end()) {
      return Optional.empty();
    }
    int at = random.nextInt(span.begin(), span.end());
    flip(log.path(), at);
    return Optional.of("flipped a bit of byte %,d of %,d of the log".formatted(at, log.size()));
  }

  /** Changes one bit among the rows of a table. */
  Optional<String> flipInTable() {
    List<Path> tables = tables();
    if (tables.isEmpty()) {
      return Optional.empty();
    }
    Path table = tables.get(random.nextInt(tables.size()));
    long size = table.toFile().length();
    // The rows come first; what is behind them is index and properties.
    int at = (int) random.nextLong(size / 2);
    flip(table, at);
    flippedTable = table;
    return Optional.of("flipped a bit of byte %,d of %,d of a table".formatted(at, size));
  }

  /**
   * Whether a table was damaged that is gone now. A kill leaves tables behind that were being made
   * and do not belong to the database yet; opening removes them.
   */
  boolean hitALeftover() {
    return flippedTable != null && !Files.exists(flippedTable);
  }

  private List<Path> tables() {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .filter(file -> file.toFile().length() >= SMALLEST_TABLE)
          .sorted()
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException("The tables cannot be listed", failure);
    }
  }

  private int endOfAcknowledged(LogFile log) {
    int end = 0;
    for (LogFile.Entry record : log.records()) {
      if (isTold(log, record)) {
        end = record.end();
      }
    }
    // What comes before the round's first acknowledged commit may be from earlier rounds.
    return end == 0 ? log.size() : end;
  }

  private boolean isTold(LogFile log, LogFile.Entry record) {
    byte[] content = log.content(record);
    byte[] prefix = Layout.LOG.begin().toByteArray();
    int size = prefix.length + Versionstamp.COMMIT_BYTES;
    for (int at = 0; at + size <= content.length; at++) {
      if (content[at] == prefix[0]
          && content[at + 1] == prefix[1]
          && acknowledged.contains(Key.of(Arrays.copyOfRange(content, at, at + size)))) {
        return true;
      }
    }
    return false;
  }

  private byte[] pieceOfRecord(LogFile log) {
    int left = LogFile.BLOCK - log.size() % LogFile.BLOCK;
    byte[] gap = new byte[left < log.headerSize() + 2 ? left : 0];
    int room = gap.length == 0 ? left : LogFile.BLOCK;
    if (gap.length >= log.headerSize()) {
      // A header would fit here, so zeros would be no padding; a piece of a header is torn as well.
      return Arrays.copyOf(log.header(1), random.nextInt(1, log.headerSize()));
    }
    byte[] content = new byte[random.nextInt(1, Math.min(room - log.headerSize(), 4_000))];
    random.nextBytes(content);
    byte[] whole = join(log.header(content.length), content);
    return join(gap, Arrays.copyOf(whole, random.nextInt(1, whole.length)));
  }

  private void flip(Path file, int at) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bytes);
    } catch (IOException failure) {
      throw new UncheckedIOException("The file to damage cannot be read", failure);
    }
  }

  private static Key logKey(Versionstamp stamp) {
    byte[] stamped = Layout.log(stamp).toByteArray();
    // The user version is left out: the engine replaces only the commit's part.
    return Key.of(Arrays.copyOf(stamped, stamped.length - 2));
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  private static void write(Path file, byte[] bytes) {
    try {
      Files.write(file, bytes);
    } catch (IOException failure) {
      throw new UncheckedIOException("The file to damage cannot be written", failure);
    }
  }
}
