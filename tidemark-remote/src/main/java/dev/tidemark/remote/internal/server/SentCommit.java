package dev.tidemark.remote.internal.server;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.remote.internal.transport.FieldReader;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A commit that a client sent, to be done in a transaction of the served database. */
final class SentCommit {
  /** Longer commits are not handled by the receiving thread. */
  static final int PROMPT_BYTES = 1 << 16;

  /** The rough overhead in memory of a key, a range or a mutation. */
  private static final int PART_BYTES = 128;

  /** Fewest bytes of a key, a range or a mutation on the wire. */
  private static final int PART_BYTES_MIN = 2;

  private static final int TRANSACTION_TOO_LARGE = 2101;

  private final int size;
  private final List<Key> readKeys = new ArrayList<>(1);
  private final List<KeyRange> readRanges = new ArrayList<>(0);
  private final List<KeyRange> writeConflicts = new ArrayList<>(0);
  private final List<Change> changes = new ArrayList<>(2);
  private long readVersion;
  private long timeoutNanos;
  private byte[] id = Wire.NO_BYTES;

  /** A mutation: what is done to a key, and the value, the operand or the end of the range. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Change(int type, byte[] key, byte[] operand, boolean quiet) {
    static Change read(FieldReader fields) {
      int type = 0;
      byte[] key = Wire.NO_BYTES;
      byte[] operand = Wire.NO_BYTES;
      boolean quiet = false;
      while (fields.next()) {
        switch (fields.field()) {
          case Mutation.TYPE_FIELD_NUMBER -> type = (int) fields.number();
          case Mutation.KEY_FIELD_NUMBER -> key = fields.copy();
          case Mutation.OPERAND_FIELD_NUMBER -> operand = fields.copy();
          case Mutation.QUIET_FIELD_NUMBER -> quiet = fields.number() != 0;
          default -> fields.skip();
        }
      }
      return new Change(type, key, operand, quiet);
    }

    /** Whether nothing has to be looked up for it; a stamp is filled in at the commit. */
    boolean isPlain() {
      return switch (type) {
        case Mutation.Type.SET_VALUE,
            Mutation.Type.CLEAR_VALUE,
            Mutation.Type.SET_VERSIONSTAMPED_KEY_VALUE,
            Mutation.Type.SET_VERSIONSTAMPED_VALUE_VALUE ->
            true;
        default -> false;
      };
    }

    void applyTo(Transaction tx) {
      Key changed = Key.wrap(key);
      if (quiet) {
        tx.nextWriteWithoutConflict();
      }
      switch (type) {
        case Mutation.Type.SET_VALUE -> tx.set(changed, operand);
        case Mutation.Type.CLEAR_VALUE -> tx.clear(changed);
        case Mutation.Type.CLEAR_RANGE_VALUE -> tx.clear(KeyRange.of(changed, Key.wrap(operand)));
        default -> tx.mutate(mutation(), changed, operand);
      }
    }

    private MutationType mutation() {
      Mutation.Type known = Mutation.Type.forNumber(type);
      if (known == null) {
        throw UsageException.invalidMutation("This server does not know the mutation " + type);
      }
      return MutationType.valueOf(known.name());
    }
  }

  /** Reads a commit. */
  SentCommit(FieldReader fields) {
    this.size = fields.size();
    while (fields.next()) {
      switch (fields.field()) {
        case CommitWrites.READ_VERSION_FIELD_NUMBER -> readVersion = fields.number();
        case CommitWrites.READ_KEYS_FIELD_NUMBER -> readKeys.add(Key.wrap(fields.copy()));
        case CommitWrites.READ_RANGES_FIELD_NUMBER -> readRanges.add(range(fields.message()));
        case CommitWrites.WRITE_CONFLICTS_FIELD_NUMBER ->
            writeConflicts.add(range(fields.message()));
        case CommitWrites.MUTATIONS_FIELD_NUMBER -> changes.add(Change.read(fields.message()));
        case CommitWrites.TIMEOUT_NANOS_FIELD_NUMBER -> timeoutNanos = fields.number();
        case CommitWrites.ID_FIELD_NUMBER -> id = fields.copy();
        default -> fields.skip();
      }
    }
  }

  /**
   * How many keys, ranges and mutations a commit may have where transactions may have so many
   * bytes.
   */
  static int partsMax(long transactionBytes) {
    return Math.clamp(transactionBytes / 64, PROMPT_BYTES / PART_BYTES_MIN, 1 << 24);
  }

  /** Reads a commit of at most so many parts; others are refused before objects are made. */
  static SentCommit read(FieldReader fields, int partsMax) {
    if (fields.size() / PART_BYTES_MIN > partsMax
        && fields.count(partsMax + 1, SentCommit::isPart) > partsMax) {
      throw LimitExceededException.reported(
          TRANSACTION_TOO_LARGE,
          ("The commit has more than %,d keys, ranges and mutations, which is what this server"
                  + " takes at once. Split the work over several transactions.")
              .formatted(partsMax),
          partsMax + 1L,
          partsMax);
    }
    return new SentCommit(fields);
  }

  private static boolean isPart(int field) {
    return switch (field) {
      case CommitWrites.READ_KEYS_FIELD_NUMBER,
          CommitWrites.READ_RANGES_FIELD_NUMBER,
          CommitWrites.WRITE_CONFLICTS_FIELD_NUMBER,
          CommitWrites.MUTATIONS_FIELD_NUMBER ->
          true;
      default -> false;
    };
  }

  /** About how many bytes it takes in memory. */
  int weight() {
    long parts =
        (long) readKeys.size() + readRanges.size() + writeConflicts.size() + changes.size();
    return (int) Math.min(size + parts * PART_BYTES, Integer.MAX_VALUE);
  }

  private static KeyRange range(FieldReader fields) {
    Key begin = Key.EMPTY;
    Key end = Key.EMPTY;
    while (fields.next()) {
      switch (fields.field()) {
        case Range.BEGIN_FIELD_NUMBER -> begin = Key.wrap(fields.copy());
        case Range.END_FIELD_NUMBER -> end = Key.wrap(fields.copy());
        default -> fields.skip();
      }
    }
    return KeyRange.of(begin, end);
  }

  /** Whether the commit can be enqueued without a wait or a lookup. */
  boolean isPrompt() {
    boolean reads = !readKeys.isEmpty() || !readRanges.isEmpty() || id.length > 0;
    return timeoutNanos == 0 && size <= PROMPT_BYTES && (readVersion != 0 || !reads) && isPlain();
  }

  private boolean isPlain() {
    for (Change change : changes) {
      if (!change.isPlain()) {
        return false;
      }
    }
    return true;
  }

  /** Commits it in a transaction of {@code database}. */
  Commit.Position commit(Database database) {
    try (Transaction tx = begin(database)) {
      tx.commit();
      Versionstamp stamp = tx.versionstamp();
      return new Commit.Position(stamp.version(), stamp.batch());
    }
  }

  /** A transaction of {@code database} that is to be committed. */
  Transaction begin(Database database) {
    Duration timeout = Duration.ofNanos(timeoutNanos);
    Transaction tx =
        database.begin(
            timeoutNanos == 0
                ? TransactionOptions.DEFAULTS
                : TransactionOptions.DEFAULTS.withTimeout(timeout));
    try {
      applyTo(tx);
      if (!tx.hasWrites()) {
        throw UsageException.invalidOperation("A commit without a write needs no request");
      }
      if (id.length > 0) {
        IdentifiedCommit.attach(tx, database, Wire.commitId(id));
      }
      return tx;
    } catch (RuntimeException refused) {
      tx.close();
      throw refused;
    }
  }

  private void applyTo(Transaction tx) {
    if (readVersion != 0) {
      tx.setReadVersion(readVersion);
    }
    readKeys.forEach(tx::addReadConflict);
    readRanges.forEach(tx::addReadConflict);
    changes.forEach(change -> change.applyTo(tx));
    writeConflicts.forEach(tx::addWriteConflict);
  }
}
