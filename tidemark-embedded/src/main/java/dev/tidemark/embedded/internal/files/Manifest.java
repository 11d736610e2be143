package dev.tidemark.embedded.internal.files;

import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.StorageException.Kind;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/*
 * RocksDB's manifest is a log of edits. An edit is a row of fields: a tag, then what belongs to it. Of
 * those, the tables that come and go and the number of the first log that is still needed tell which
 * files belong to the database. Tags with bit 13 set carry their own length.
 *
 * The file ends with its last edit, and nothing in it tells that one is missing. But each edit leaves
 * a state to which, with the logs from its number on, everything ever committed belongs. If these logs
 * and the tables of a state are all there, it is right to go on from it; if the manifest was cut,
 * what it forgot has made some of them go.
 */

/**
 * What RocksDB's manifest says belongs to a database.
 *
 * @param number the manifest's number
 * @param end where its last whole record ends
 * @param firstLog the number of the first log that is still needed; 0 if none was ever dropped
 * @param lastWrite the number of the last write when it was written, or of a later one
 * @param tables the tables by their numbers, with their sizes
 */
record Manifest(long number, long end, long firstLog, long lastWrite, Map<Long, Long> tables) {
  private static final String CURRENT = "CURRENT";
  private static final Pattern NAME = Pattern.compile("MANIFEST-(\\d+)\n");

  private static final int COMPARATOR = 1;
  private static final int LOG_NUMBER = 2;
  private static final int NEXT_FILE = 3;
  private static final int LAST_WRITE = 4;
  private static final int COMPACT_CURSOR = 5;
  private static final int DELETED_FILE = 6;
  private static final int PREVIOUS_LOG = 9;
  private static final int LEAST_LOG = 10;
  private static final int NEW_FILE = 103;
  private static final int COLUMN_FAMILY = 200;
  private static final int COLUMN_FAMILY_ADD = 201;
  private static final int COLUMN_FAMILY_DROP = 202;
  private static final int COLUMN_FAMILIES_MAX = 203;
  private static final int IN_GROUP = 300;
  private static final int LENGTH_GIVEN = 1 << 13;
  private static final int NEW_FILE_END = 1;

  /** Reads the manifest that is in use in {@code data}. */
  static Manifest read(Path data) throws IOException {
    long number = current(data);
    Path file = data.resolve(name(number));
    if (!Files.isRegularFile(file)) {
      throw StorageErrors.damaged(
          "The file %s names %s, which is missing".formatted(data.resolve(CURRENT), name(number)));
    }
    Edits edits = new Edits(file);
    try (LogBlocks blocks = new LogBlocks(file)) {
      LogScan scan = LogScan.of(blocks, Integer.MAX_VALUE, edits::add);
      long next = scan.bad() < 0 ? -1 : blocks.nextRecord(scan.bad() + 1);
      if (next >= 0) {
        throw StorageErrors.damaged(
            "The file %s is damaged at byte %,d: good records follow at byte %,d"
                .formatted(file, scan.bad(), next));
      }
      if (scan.wholeEnd() == 0) {
        throw StorageErrors.damaged(
            "The file %s of %,d bytes has no whole record".formatted(file, blocks.size()));
      }
      return new Manifest(number, scan.wholeEnd(), edits.firstLog, edits.lastWrite, edits.tables);
    }
  }

  /** The number of the manifest that is in use in {@code data}. */
  static long current(Path data) throws IOException {
    Path current = data.resolve(CURRENT);
    if (!Files.isRegularFile(current)) {
      throw StorageErrors.damaged("The file %s is missing".formatted(current));
    }
    Matcher name = NAME.matcher(Files.readString(current, StandardCharsets.ISO_8859_1));
    if (!name.matches()) {
      throw StorageErrors.damaged("The file %s does not name a manifest".formatted(current));
    }
    return Long.parseLong(name.group(1));
  }

  static String name(long number) {
    return "MANIFEST-%06d".formatted(number);
  }

  /** Requires that all tables are in {@code data}, each as long as it was written. */
  void requireTables(Path data) throws IOException {
    for (Map.Entry<Long, Long> table : tables.entrySet()) {
      Path file = data.resolve("%06d.sst".formatted(table.getKey()));
      if (!Files.isRegularFile(file)) {
        throw StorageErrors.damaged("The table %s is missing".formatted(file));
      }
      if (Files.size(file) != table.getValue()) {
        throw StorageErrors.damaged(
            "The table %s has %,d bytes and should have %,d"
                .formatted(file, Files.size(file), table.getValue()));
      }
    }
  }

  /** What the edits read so far leave. */
  private static final class Edits {
    private final Path file;
    private final Map<Long, Long> tables = new TreeMap<>();
    private long firstLog;
    private long lastWrite;

    Edits(Path file) {
      this.file = file;
    }

    void add(byte[] record) {
      try {
        ByteBuffer edit = ByteBuffer.wrap(record);
        while (edit.hasRemaining()) {
          field(edit);
        }
      } catch (BufferUnderflowException | IllegalArgumentException unreadable) {
        throw StorageErrors.damaged("The file %s has an edit that ends too early".formatted(file));
      }
    }

    private void field(ByteBuffer edit) {
      int tag = (int) number(edit);
      switch (tag) {
        case LOG_NUMBER -> firstLog = Math.max(firstLog, number(edit));
        case LAST_WRITE -> lastWrite = Math.max(lastWrite, number(edit));
        case DELETED_FILE -> {
          number(edit);
          tables.remove(number(edit));
        }
        case NEW_FILE -> newFile(edit);
        case NEXT_FILE, PREVIOUS_LOG, LEAST_LOG, COLUMN_FAMILY, COLUMN_FAMILIES_MAX, IN_GROUP ->
            number(edit);
        case COMPARATOR, COLUMN_FAMILY_ADD -> skip(edit);
        case COMPACT_CURSOR -> {
          number(edit);
          skip(edit);
        }
        case COLUMN_FAMILY_DROP -> {}
        default -> other(tag, edit);
      }
    }

    private void newFile(ByteBuffer edit) {
      number(edit); // the level
      tables.put(number(edit), number(edit));
      skip(edit); // the least key
      skip(edit); // the greatest
      number(edit); // the first write
      number(edit); // the last
      while (number(edit) != NEW_FILE_END) {
        skip(edit);
      }
    }

    private void other(int tag, ByteBuffer edit) {
      if ((tag & LENGTH_GIVEN) == 0) {
        throw new StorageException(
            Kind.WRONG_FORMAT,
            "The file %s has a field %d, which this version of Tidemark does not know. Use the version that wrote it, or a newer one"
                .formatted(file, tag),
            null);
      }
      skip(edit);
    }

    private static long number(ByteBuffer edit) {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        byte next = edit.get();
        value |= (long) (next & 0x7f) << shift;
        if (next >= 0) {
          return value;
        }
      }
      throw new IllegalArgumentException("a number without an end");
    }

    private static void skip(ByteBuffer edit) {
      long length = number(edit);
      if (length < 0 || length > edit.remaining()) {
        throw new BufferUnderflowException();
      }
      edit.position(edit.position() + (int) length);
    }
  }
}
