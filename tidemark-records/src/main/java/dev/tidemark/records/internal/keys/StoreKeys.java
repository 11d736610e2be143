package dev.tidemark.records.internal.keys;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.RangeSet;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import java.util.List;

/**
 * Where everything of a store lies: the only class that knows. docs/formats/records.md is its
 * description.
 */
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

  /** All of the store. */
  public KeyRange everything() {
    return root.prefixRange();
  }

  /** Where the store is. */
  public Subspace root() {
    return root;
  }

  /** Which schema the store has and which state each index; read by everybody, written seldom. */
  public Key header() {
    return header;
  }

  /** The full description of the schema, in pieces. */
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

  /** How far the migration called {@code name} is. */
  public Key migration(String name) {
    return root.pack(MIGRATIONS, name);
  }

  /** Who migrates the store. */
  public Key migrationLease() {
    return root.pack(MIGRATIONS);
  }

  /** What is known about the keys of the type or index with number {@code id}. */
  public StatisticsKeys statistics(int id) {
    return new StatisticsKeys(root.sub(STATISTICS, id));
  }

  /** Which statistics the collection in progress has done; no type or index has this number. */
  public Key statisticsRun() {
    return root.pack(STATISTICS, 0);
  }

  /** The versionstamp of the last collection that was completed; absent if there was none. */
  public Key statisticsStamp() {
    return root.pack(STATISTICS, 0, 0);
  }

  /**
   * The keys of one record type.
   *
   * @param space where its records are, by primary key
   * @param versions where the versionstamps of their last saves are, by primary key; not among the
   *     records, because a transaction cannot read a versionstamp that it has still to get
   */
  public record TypeKeys(Subspace space, Subspace versions) {
    /** The record with {@code primaryKey}. */
    public RecordKey record(Tuple primaryKey) {
      return new RecordKey(space.pack(primaryKey), versions, primaryKey);
    }

    /** The primary key in {@code key}, which is one of the keys of a record. */
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
   * The keys of one record, which have a last element: {@link #MAIN} holds the record, or says in
   * how many pieces it follows.
   *
   * @param prefix what all of them begin with
   * @param versions where the versionstamps of the type are
   * @param primaryKey its primary key
   */
  public record RecordKey(Key prefix, Subspace versions, Tuple primaryKey) {
    /** The last element of the key that holds the record. */
    public static final int MAIN = 0;

    private static final byte[] MAIN_ELEMENT = Tuple.of(MAIN).pack();

    /** Where the versionstamp of the last save is. */
    public Key version() {
      return versions.pack(primaryKey);
    }

    /** Where the record is. */
    public Key main() {
      return prefix.append(MAIN_ELEMENT);
    }

    /** Piece {@code number}, from 1, of a record that does not fit one value. */
    public Key piece(int number) {
      return prefix.append(Tuple.of(number).pack());
    }

    /** All keys of the record but that of its versionstamp. */
    public KeyRange all() {
      return KeyRange.of(prefix, prefix.append((byte) 0xff));
    }
  }

  /**
   * The keys of one index.
   *
   * @param entries what is read
   * @param secondary what some kinds keep beside it
   * @param builtSpace how far a build has come
   * @param violations values that should be unique and are not
   * @param build who builds it, how, and how many records were seen
   * @param scrub how far a scrub has come
   * @param statistics what is known about the entries
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

    /** Where the entries are whose first elements are {@code prefix}; all of them for none. */
    public KeyRange entriesStartingWith(Tuple prefix) {
      Key begin = entries.pack(prefix);
      return KeyRange.of(begin, begin.append((byte) 0xff));
    }

    /** Removes everything of the index, also what lies at the bare prefix. */
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

    /** How many records a build has seen. */
    public Key scanned() {
      return build.pack(SCANNED);
    }

    /** How many of them gave something to the index. */
    public Key indexed() {
      return build.pack(INDEXED);
    }

    /** How far the scrub in progress has come. */
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

    /** How many rows there are, how large, and how many values. */
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

    /** The values of column {@code number} taken by itself. */
    public Key column(int number) {
      return space.pack(COLUMN, number);
    }

    /** About how many keys have changed since these statistics were collected. */
    public Key changed() {
      return space.pack(CHANGED);
    }

    /** Piece {@code number}, from 0, of what a collection that goes on has seen so far. */
    public Key draft(int number) {
      return space.pack(DRAFT, number);
    }

    /** All of that. */
    public KeyRange drafts() {
      return space.sub(DRAFT).prefixRange();
    }
  }
}
