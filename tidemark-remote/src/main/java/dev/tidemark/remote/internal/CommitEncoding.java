package dev.tidemark.remote.internal;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.internal.Commit;
import dev.tidemark.kv.internal.Write;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Committed;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.Range;
import java.time.Duration;

/*
 * Why the order of mutations below makes the same transaction again
 *
 * A transaction keeps, apart from each other, the ranges it cleared, one write a key on top of them,
 * and its sets of versionstamped keys, each with the ranges that were cleared after it. The client
 * sends: all cleared ranges; each versionstamped set with the ranges cleared after it right behind
 * it; the writes of single keys. Clearing a range a second time only drops writes of keys, which
 * come later, and versionstamped sets before it. Those are the ones that it cleared in the client
 * too: a range that was cleared after one set was cleared after every earlier one.
 */

/** A commit as it crosses the network. */
final class CommitEncoding {
  private CommitEncoding() {}

  /** {@code commit}, which may wait {@code nanos} to begin. */
  static CommitWrites encode(Commit commit, long nanos) {
    CommitWrites.Builder wire = CommitWrites.newBuilder();
    wire.setReadVersion(Math.max(0, commit.readVersion()));
    wire.setTimeoutNanos(nanos == Long.MAX_VALUE ? 0 : nanos);
    commit.readKeys().forEach(key -> wire.addReadKeys(Wire.bytes(key)));
    commit.readRanges().forEach(range -> wire.addReadRanges(Wire.range(range)));
    commit.writeConflicts().forEach(range -> wire.addWriteConflicts(Wire.range(range)));
    commit.clears().forEach((begin, end) -> addClear(wire, commit, KeyRange.of(begin, end)));
    for (Commit.StampedSet set : commit.stampedSets()) {
      wire.addMutations(
          Mutation.newBuilder()
              .setType(Mutation.Type.SET_VERSIONSTAMPED_KEY)
              .setKey(Wire.bytes(set.key().withOffset()))
              .setOperand(Wire.bytes(set.value()))
              .setQuiet(set.quiet()));
      set.clearedLater().forEach(range -> addClear(wire, commit, range));
    }
    commit.writes().forEach((key, write) -> addWrite(wire, key, write, commit.isQuiet(key)));
    return wire.build();
  }

  private static void addClear(CommitWrites.Builder wire, Commit commit, KeyRange range) {
    if (commit.quiet().isEmpty()) {
      wire.addMutations(clear(range, false));
      return;
    }
    commit.loudParts(range).forEach(part -> wire.addMutations(clear(part, false)));
    commit.quietParts(range).forEach(part -> wire.addMutations(clear(part, true)));
  }

  private static Mutation clear(KeyRange range, boolean quiet) {
    return mutation(Mutation.Type.CLEAR_RANGE, range.begin(), Wire.bytes(range.end()), quiet);
  }

  private static void addWrite(CommitWrites.Builder wire, Key key, Write write, boolean quiet) {
    switch (write) {
      case Write.Put(byte[] value) ->
          wire.addMutations(mutation(Mutation.Type.SET, key, Wire.bytes(value), quiet));
      case Write.Clear() ->
          wire.addMutations(mutation(Mutation.Type.CLEAR, key, ByteString.EMPTY, quiet));
      case Write.Mutate(var operations) ->
          operations.forEach(
              operation ->
                  wire.addMutations(
                      mutation(
                          Mutation.Type.valueOf(operation.type().name()),
                          key,
                          Wire.bytes(operation.operand()),
                          quiet)));
    }
  }

  private static Mutation mutation(Mutation.Type type, Key key, ByteString operand, boolean quiet) {
    return Mutation.newBuilder()
        .setType(type)
        .setKey(Wire.bytes(key))
        .setOperand(operand)
        .setQuiet(quiet)
        .build();
  }

  /** Commits what a client sent in a transaction of {@code database}. */
  static Committed replay(CommitWrites wire, Database database) {
    Duration timeout = Duration.ofNanos(wire.getTimeoutNanos());
    try (Transaction tx = database.begin(TransactionOptions.DEFAULTS.withTimeout(timeout))) {
      if (wire.getReadVersion() != 0) {
        tx.setReadVersion(wire.getReadVersion());
      }
      wire.getReadKeysList().forEach(key -> tx.addReadConflict(Wire.key(key)));
      for (Range range : wire.getReadRangesList()) {
        tx.addReadConflict(Wire.range(range));
      }
      wire.getMutationsList().forEach(mutation -> apply(mutation, tx));
      for (Range range : wire.getWriteConflictsList()) {
        tx.addWriteConflict(Wire.range(range));
      }
      if (!tx.hasWrites()) {
        throw UsageException.invalidOperation("A commit without a write needs no request");
      }
      tx.commit();
      Versionstamp stamp = tx.versionstamp();
      return Committed.newBuilder().setVersion(stamp.version()).setBatch(stamp.batch()).build();
    }
  }

  private static void apply(Mutation mutation, Transaction tx) {
    Key key = Wire.key(mutation.getKey());
    if (mutation.getQuiet()) {
      tx.nextWriteWithoutConflict();
    }
    switch (mutation.getType()) {
      case SET -> tx.set(key, mutation.getOperand().toByteArray());
      case CLEAR -> tx.clear(key);
      case CLEAR_RANGE -> tx.clear(KeyRange.of(key, Wire.key(mutation.getOperand())));
      case UNRECOGNIZED ->
          throw UsageException.invalidMutation(
              "This server does not know the mutation " + mutation.getTypeValue());
      default ->
          tx.mutate(
              MutationType.valueOf(mutation.getType().name()),
              key,
              mutation.getOperand().toByteArray());
    }
  }
}
