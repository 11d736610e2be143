package dev.tidemark.chaos.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/*
 * RocksDB's write-ahead log is a row of blocks of 32 KiB. Each holds fragments: checksum (4 bytes),
 * length (2, little-endian), type (1) and, in files that are used again, the number of the log (4),
 * then the bytes. A record is one FULL fragment, or FIRST, any MIDDLE, LAST. The last bytes of a
 * block are zero where no header fits any more.
 */

/** A write-ahead log as bytes and the places of its records. */
final class LogFile {
  static final int BLOCK = 32_768;

  private static final int HEADER = 7;
  private static final int RECYCLED_HEADER = 11;
  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int LAST = 4;
  private static final int RECYCLED = 4;

  private final Path path;
  private final byte[] bytes;
  private final List<Entry> records = new ArrayList<>();
  private boolean recycled;

  /** A complete record: where it begins and ends, and where its content lies in between. */
  record Entry(int begin, int end, List<Span> content) {}

  /** Bytes of content without headers. */
  record Span(int begin, int end) {}

  private LogFile(Path path, byte[] bytes) {
    this.path = path;
    this.bytes = bytes;
  }

  /** The newest log with at least one record below {@code directory}. */
  static Optional<LogFile> newest(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .sorted(Comparator.comparing(Path::getFileName).reversed())
          .map(LogFile::read)
          .filter(log -> !log.records.isEmpty())
          .findFirst();
    } catch (IOException failure) {
      throw new UncheckedIOException("The logs cannot be listed", failure);
    }
  }

  static LogFile read(Path path) {
    try {
      LogFile log = new LogFile(path, Files.readAllBytes(path));
      log.parse();
      return log;
    } catch (IOException failure) {
      throw new UncheckedIOException("The log cannot be read", failure);
    }
  }

  Path path() {
    return path;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  int size() {
    return bytes.length;
  }

  /** The complete records, in order. */
  List<Entry> records() {
    return List.copyOf(records);
  }

  /** The content of {@code record} in one piece. */
  byte[] content(Entry record) {
    int size = record.content().stream().mapToInt(span -> span.end() - span.begin()).sum();
    ByteBuffer content = ByteBuffer.allocate(size);
    for (Span span : record.content()) {
      content.put(bytes, span.begin(), span.end() - span.begin());
    }
    return content.array();
  }

  /** Bytes that a header of this log has. */
  int headerSize() {
    return recycled ? RECYCLED_HEADER : HEADER;
  }

  /** The header of a whole record of {@code length} bytes, with a checksum that is not right. */
  byte[] header(int length) {
    ByteBuffer header = ByteBuffer.allocate(headerSize()).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(0x5eed5eed).putShort((short) length);
    header.put((byte) (recycled ? FULL + RECYCLED : FULL));
    if (recycled) {
      header.put(bytes, HEADER, RECYCLED_HEADER - HEADER);
    }
    return header.array();
  }

  private void parse() {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int begin = 0;
    List<Span> content = new ArrayList<>();
    int at = 0;
    while (at + HEADER <= bytes.length) {
      int left = BLOCK - at % BLOCK;
      if (left < HEADER) {
        at += left;
        continue;
      }
      int length = in.getShort(at + 4) & 0xffff;
      int type = in.get(at + 6) & 0xff;
      boolean large = type > RECYCLED && type <= 2 * RECYCLED;
      int from = at + (large ? RECYCLED_HEADER : HEADER);
      if (type == 0 || from + length > bytes.length) {
        return;
      }
      int part = large ? type - RECYCLED : type;
      recycled |= large;
      if (part == FULL || part == FIRST) {
        content = new ArrayList<>();
        begin = at;
      }
      content.add(new Span(from, from + length));
      at = from + length;
      // Other types are notes of RocksDB to itself, such as the size of timestamps.
      if (part == FULL || part == LAST) {
        records.add(new Entry(begin, at, List.copyOf(content)));
      }
    }
  }
}
