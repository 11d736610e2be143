package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.records.internal.query.match.EntryColumns;
import dev.tidemark.records.internal.query.match.EntryRow;
import dev.tidemark.records.internal.query.scan.KeySource;
import org.jspecify.annotations.Nullable;

/** A row that a plan found: a record, or an entry that covers the query. */
public abstract sealed class Hit {
  /** The approximate memory of a hit beside its bytes. */
  private static final int OVERHEAD_BYTES = 160;

  private final KeyValue found;
  private final int range;

  private Hit(KeyValue found, int range) {
    this.found = found;
    this.range = range;
  }

  /** What the access read: the entry, or the record itself. */
  final KeyValue found() {
    return found;
  }

  /** The number of the range that it was found in. */
  final int range() {
    return range;
  }

  /** The key of the record. */
  public abstract Key recordKey();

  /** Its approximate size in memory. */
  int bytes() {
    return found.key().size() + found.value().length + OVERHEAD_BYTES;
  }

  /** A record in its wire format. */
  public static final class Loaded extends Hit {
    private final Key key;
    private final byte[] wire;
    private final int start;
    private @Nullable Object record;

    Loaded(Key key, KeyValue found, int range, byte[] wire, int start) {
      super(found, range);
      this.key = key;
      this.wire = wire;
      this.start = start;
    }

    @Override
    public Key recordKey() {
      return key;
    }

    /** The array that contains the record. */
    byte[] wire() {
      return wire;
    }

    /** The offset of the record in that array. */
    int start() {
      return start;
    }

    /** The decoded record; null before it was decoded. */
    @Nullable Object record() {
      return record;
    }

    /** Caches the decoded record. */
    void keep(Object decoded) {
      record = decoded;
    }

    @Override
    int bytes() {
      return super.bytes() + (key.equals(found().key()) ? 0 : key.size() + wire.length);
    }
  }

  /** An entry whose record was not loaded. */
  public static final class Covering extends Hit {
    private final KeySource source;
    private final EntryRow row;

    /**
     * The entry {@code found}.
     *
     * @param row what its columns are read with
     */
    Covering(KeyValue found, KeySource source, EntryRow row) {
      super(found, source.range());
      this.source = source;
      this.row = row;
    }

    @Override
    public Key recordKey() {
      return source.recordKey(found());
    }

    /** The entry with its columns. */
    EntryRow row() {
      return row.at(found());
    }

    EntryColumns columns() {
      return row.columns();
    }
  }
}
