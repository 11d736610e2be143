package dev.tidemark.records.internal.keys;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.RangeSet;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.util.List;

/** The key layout of a store, which only this class knows. docs/formats/records.md describes it. */
public final class StoreKeys {
  private static final int HEADER = 0;
  private static final int RECORDS = 1;
  private static final int ENTRIES = 2;
  private static final int SECONDARY = 3;
  private static final int BUILT = 4;
  private static final int VIOLATIONS = 5;
  private static final int BUILD = 6;
  private static final int SCHEMA = 7;
  private static final int SCRUB = 8;
  private static final int VERSIONS = 9;
  private static final int STATISTICS = 10;
  private static final int MIGRATIONS = 11;
  private static final int CHANGES = 12;

  private final Subspace root;
  private final Key header;
  private final Subspace records;
  private final Subspace schema;

  /** The keys of the store in {@code root}. */
  public StoreKeys(Subspace root) {
    this.root = root;
    this.header = root.pack(HEADER);
    this.records = root.sub(RECORDS);
    this.schema = root.sub(SCHEMA);
  }

  /** All keys of the store. */
  public KeyRange everything() {
    return root.prefixRange();
  }

  /** The subspace of the store. */
  public Subspace root() {
    return root;
  }

  /**
   * The header with the schema version and the states of the indexes. Every transaction reads it.
   */
  public Key header() {
    return header;
  }

  /** The serialized schema, in pieces. */
  public Subspace schema() {
    return schema;
  }

  /** The records of a type. */
  public TypeKeys type(int id) {
    return new TypeKeys(records.sub(id), root.sub(VERSIONS, id));
  }

  /** The records of all types. */
  public Subspace records() {
    return records;
  }

  /** The change stream with number {@code id}. */
  public StreamKeys stream(int id) {
    return new StreamKeys(root.sub(CHANGES, id));
  }

  /** The parts of an index. */
  public IndexKeys index(int id) {
    return new IndexKeys(
        root.sub(ENTRIES, id),
        root.sub(SECONDARY, id),
        root.sub(BUILT, id),
        root.sub(VIOLATIONS, id),
        root.sub(BUILD, id),
        root.sub(SCRUB, id),
        root.sub(STATISTICS, id));
  }

  /** The state of the migration called {@code name}. */
  public Key migration(String name) {
    return root.pack(MIGRATIONS, name);
  }

  /** The lease of migrations. */
  public Key migrationLease() {
    return root.pack(MIGRATIONS);
  }

  /** The statistics of the type or index with number {@code id}. */
  public StatisticsKeys statistics(int id) {
    return new StatisticsKeys(root.sub(STATISTICS, id));
  }

  /** The progress of the running collection of statistics; no type or index has this number. */
  public Key statisticsRun() {
    return root.pack(STATISTICS, 0);
  }

  /** The versionstamp of the last completed collection; absent if there was none. */
  public Key statisticsStamp() {
    return root.pack(STATISTICS, 0, 0);
  }

  /**
   * The keys of one record type.
   *
   * @param space its records, by primary key
   * @param versions the versionstamps of their last saves, by primary key; not among the records,
   *     because a transaction cannot read a versionstamp that it has not got yet
   */
  public record TypeKeys(Subspace space, Subspace versions) {
    /** The record with {@code primaryKey}. */
    public RecordKey record(Tuple primaryKey) {
      Key prefix = space.pack(primaryKey);
      return new RecordKey(prefix, prefix.append(RecordKey.MAIN_ELEMENT), versions, primaryKey);
    }

    /** Extracts the primary key from {@code key}, one of the keys of a record. */
    public Tuple primaryKey(Key key) {
      Tuple whole = space.unpack(key);
      return whole.subTuple(0, whole.size() - 1);
    }

    /** All records of the type. */
    public KeyRange all() {
      return space.prefixRange();
    }

    /** The keys of the records whose packed primary keys are in {@code primaryKeys}. */
    public KeyRange records(KeyRange primaryKeys) {
      return KeyRange.of(
          space.prefix().append(primaryKeys.begin().unsafeBytes()),
          space.prefix().append(primaryKeys.end().unsafeBytes()));
    }
  }

  /**
   * The keys of one record. Their last element is {@link #MAIN} for the record, or for the number
   * of its pieces, and the number of a piece otherwise.
   *
   * @param prefix their common prefix
   * @param main the key of the record
   * @param versions the versionstamps of the type
   * @param primaryKey its primary key
   */
  public record RecordKey(Key prefix, Key main, Subspace versions, Tuple primaryKey) {
    /** The last element of the key that holds the record. */
    public static final int MAIN = 0;

    private static final byte[] MAIN_ELEMENT = Tuple.of(MAIN).pack();
    private static final int LONGEST_ELEMENT = Tuple.of(Integer.MAX_VALUE).pack().length;

    /** The key of the versionstamp of the last save. */
    public Key version() {
      return versions.pack(primaryKey);
    }

    /** Piece {@code number}, from 1, of a record that does not fit one value. */
    public Key piece(int number) {
      return prefix.append(Tuple.of(number).pack());
    }

    /** The size of the longest key that the record may have. */
    public int sizeMax() {
      return prefix.size() + LONGEST_ELEMENT;
    }

    /** All keys of the record except that of its versionstamp. */
    public KeyRange all() {
      return KeyRange.of(prefix, prefix.append((byte) 0xff));
    }
  }

  /**
   * The keys of one index.
   *
   * @param entries the entries
   * @param secondary the additional rows of some kinds
   * @param builtSpace the ranges of primary keys that a build has done
   * @param violations values of a unique index that several records share
   * @param build the counters of a build
   * @param scrub the progress of a scrub
   * @param statistics the statistics of the entries
   */
  public record IndexKeys(
      Subspace entries,
      Subspace secondary,
      Subspace builtSpace,
      Subspace violations,
      Subspace build,
      Subspace scrub,
      Subspace statistics) {
    private static final int SCANNED = 0;
    private static final int INDEXED = 1;
    private static final int SCRUBBED = 0;

    /** The entries whose first elements are {@code prefix}; all entries for an empty one. */
    public KeyRange entriesStartingWith(Tuple prefix) {
      Key begin = entries.pack(prefix);
      return KeyRange.of(begin, begin.append((byte) 0xff));
    }

    /** Removes everything of the index, including the keys that are bare prefixes. */
    public void clear(Transaction tx) {
      for (Subspace part :
          List.of(entries, secondary, builtSpace, violations, build, scrub, statistics)) {
        tx.clear(part.prefixRange());
      }
    }

    /** The ranges of primary keys that a build has done. */
    public RangeSet built() {
      return RangeSet.in(builtSpace);
    }

    /** The number of records that a build has scanned. */
    public Key scanned() {
      return build.pack(SCANNED);
    }

    /** The number of scanned records with an entry. */
    public Key indexed() {
      return build.pack(INDEXED);
    }

    /** The progress of the running scrub. */
    public Key scrubbed() {
      return scrub.pack(SCRUBBED);
    }
  }

  /**
   * The keys of statistics of one type or index.
   *
   * @param space all of them
   */
  public record StatisticsKeys(Subspace space) {
    private static final int SUMMARY = 0;
    private static final int BUCKET = 1;
    private static final int COMMON = 2;
    private static final int COLUMN = 3;
    private static final int DRAFT = 4;
    private static final int CHANGED = 5;

    /** The numbers of rows, bytes and values. */
    public Key summary() {
      return space.pack(SUMMARY);
    }

    /** Bucket {@code number}, from 0, of the histogram. */
    public Key bucket(int number) {
      return space.pack(BUCKET, number);
    }

    /** All buckets. */
    public KeyRange buckets() {
      return space.sub(BUCKET).prefixRange();
    }

    /** The most common values of the first {@code columns} columns. */
    public Key common(int columns) {
      return space.pack(COMMON, columns);
    }

    /** The statistics of column {@code number} alone. */
    public Key column(int number) {
      return space.pack(COLUMN, number);
    }

    /** About how many keys have changed since these statistics were collected. */
    public Key changed() {
      return space.pack(CHANGED);
    }

    /** Piece {@code number}, from 0, of the draft of a running collection. */
    public Key draft(int number) {
      return space.pack(DRAFT, number);
    }

    /** All pieces of the draft. */
    public KeyRange drafts() {
      return space.sub(DRAFT).prefixRange();
    }
  }
}
