package dev.tidemark.remote.internal.client;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.Write;
import dev.tidemark.remote.internal.transport.FieldWriter;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.Range;

/*
 * Why the order below makes the same transaction at the server
 *
 * A transaction keeps, apart from each other, the ranges it cleared, one write a key on top of them,
 * and its sets of versionstamped keys, each with the ranges that were cleared last between it and
 * the next one, if it or an earlier set may be in them. The client sends: cleared ranges, but those
 * that come later as a whole; each versionstamped set with those ranges right behind it; the writes
 * of single keys. Clearing a range later, or a second time, only drops writes of keys, which come
 * later still, and versionstamped sets before it. Those are the ones that it cleared in the client
 * too: a range that was cleared after one set was cleared after every earlier one.
 */

/** A commit as it crosses the network; {@code SentCommit} is the other side. */
public final class CommitEncoding {
  private static final int TYPICAL_BYTES = 512;

  private final Commit commit;
  private final FieldWriter wire = new FieldWriter(TYPICAL_BYTES);

  private CommitEncoding(Commit commit) {
    this.commit = commit;
  }

  /** {@code commit}, which the server may queue for {@code nanos}. */
  public static FieldWriter encode(Commit commit, long nanos) {
    CommitEncoding encoding = new CommitEncoding(commit);
    encoding.addAll(nanos);
    return encoding.wire;
  }

  private void addAll(long nanos) {
    wire.number(CommitWrites.READ_VERSION_FIELD_NUMBER, Math.max(0, commit.readVersion()));
    for (Key key : commit.readKeys()) {
      wire.presentBytes(CommitWrites.READ_KEYS_FIELD_NUMBER, key.unsafeBytes());
    }
    commit.readRanges().forEach(range -> add(CommitWrites.READ_RANGES_FIELD_NUMBER, range));
    commit.writeConflicts().forEach(range -> add(CommitWrites.WRITE_CONFLICTS_FIELD_NUMBER, range));
    commit.clearsBeforeStampedSets().forEach(this::addClear);
    for (Commit.StampedSet set : commit.stampedSets()) {
      addMutation(
          Mutation.Type.SET_VERSIONSTAMPED_KEY, set.key().withOffset(), set.value(), set.quiet());
      set.clearedNext().forEach(this::addClear);
    }
    commit.writes().forEach((key, write) -> addWrite(key, write, commit.isQuiet(key)));
    wire.number(CommitWrites.TIMEOUT_NANOS_FIELD_NUMBER, nanos == Long.MAX_VALUE ? 0 : nanos);
    CommitId id = commit.id();
    if (id != null) {
      wire.bytes(CommitWrites.ID_FIELD_NUMBER, Wire.bytes(id));
    }
  }

  private void add(int field, KeyRange range) {
    byte[] begin = range.begin().unsafeBytes();
    byte[] end = range.end().unsafeBytes();
    wire.begin(field, FieldWriter.sizeOfBytes(begin) + FieldWriter.sizeOfBytes(end));
    wire.bytes(Range.BEGIN_FIELD_NUMBER, begin);
    wire.bytes(Range.END_FIELD_NUMBER, end);
  }

  private void addClear(KeyRange range) {
    if (commit.quiet().isEmpty()) {
      addClear(range, false);
      return;
    }
    commit.loudParts(range).forEach(part -> addClear(part, false));
    commit.quietParts(range).forEach(part -> addClear(part, true));
  }

  private void addClear(KeyRange range, boolean quiet) {
    addMutation(
        Mutation.Type.CLEAR_RANGE, range.begin().unsafeBytes(), range.end().unsafeBytes(), quiet);
  }

  private void addWrite(Key key, Write write, boolean quiet) {
    byte[] bytes = key.unsafeBytes();
    switch (write) {
      case Write.Put(byte[] value) -> addMutation(Mutation.Type.SET, bytes, value, quiet);
      case Write.Clear() -> addMutation(Mutation.Type.CLEAR, bytes, Wire.NO_BYTES, quiet);
      case Write.Mutate mutate -> {
        for (Write.Operation operation : mutate.operations()) {
          Mutation.Type type = Mutation.Type.valueOf(operation.type().name());
          addMutation(type, bytes, operation.operand(), quiet);
        }
      }
    }
  }

  private void addMutation(Mutation.Type type, byte[] key, byte[] operand, boolean quiet) {
    int number = type.getNumber();
    int size =
        FieldWriter.sizeOfNumber(number)
            + FieldWriter.sizeOfBytes(key)
            + FieldWriter.sizeOfBytes(operand)
            + FieldWriter.sizeOfNumber(quiet ? 1 : 0);
    wire.begin(CommitWrites.MUTATIONS_FIELD_NUMBER, size);
    wire.number(Mutation.TYPE_FIELD_NUMBER, number);
    wire.bytes(Mutation.KEY_FIELD_NUMBER, key);
    wire.bytes(Mutation.OPERAND_FIELD_NUMBER, operand);
    wire.number(Mutation.QUIET_FIELD_NUMBER, quiet ? 1 : 0);
  }
}
