package dev.tidemark.remote.internal.server;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.remote.ClientLimits;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.EstimateSize;
import dev.tidemark.remote.internal.wire.FindSplitPoints;
import dev.tidemark.remote.internal.wire.Keys;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.SettleCommit;
import dev.tidemark.remote.internal.wire.Settled;
import dev.tidemark.remote.internal.wire.Time;
import dev.tidemark.remote.internal.wire.TimeOfVersion;
import dev.tidemark.remote.internal.wire.Value;
import dev.tidemark.remote.internal.wire.VersionAtTime;
import dev.tidemark.remote.internal.wire.Welcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Replies to requests, from the served database. Their ids are for the caller to set. */
record StoreReplies(Database database, ServerCounters counters) {
  Reply.Builder welcome(ClientLimits client, int frameBytes, ServedStore store) {
    Limits limits = database.limits();
    return Reply.newBuilder()
        .setWelcome(
            Welcome.newBuilder()
                .setProtocol(Wire.PROTOCOL)
                .setKeyBytes(limits.keyBytes())
                .setValueBytes(limits.valueBytes())
                .setTransactionBytes(limits.transactionBytes())
                .setReadWindowNanos(limits.readWindow().toNanos())
                .setWatches(Math.min(limits.watches(), client.watches()))
                .setClockMicros(database.time().wallMicros())
                .setFrameBytes(frameBytes)
                .setStore(store.store())
                .setOpening(store.opening()));
  }

  static Value value(Optional<byte[]> value) {
    return value
        .map(bytes -> Value.newBuilder().setValue(Wire.bytes(bytes)).build())
        .orElse(Value.getDefaultInstance());
  }

  byte[] commit(long id, SentCommit commit) {
    try {
      Commit.Position position = commit.commit(database);
      counters.commits.increment();
      return ReplyFields.committed(id, position);
    } catch (DatabaseException refused) {
      counters.commitsRefused.increment();
      throw refused;
    }
  }

  Reply.Builder settle(SettleCommit request) {
    if (request.getVersion() < 0) {
      throw UsageException.invalidOperation(
          "Version %s is none that a commit can have read"
              .formatted(Long.toUnsignedString(request.getVersion())));
    }
    IdentifiedCommit commit =
        new IdentifiedCommit(Wire.commitId(request.getId().toByteArray()), request.getVersion());
    try (Transaction tx = database.begin()) {
      Settled.Fate fate = Settled.Fate.valueOf(commit.settle(tx, database).name());
      counters.commitsSettled.increment();
      return Reply.newBuilder().setSettled(Settled.newBuilder().setFate(fate));
    }
  }

  Reply.Builder size(EstimateSize request) {
    return Reply.newBuilder().setSize(database.estimatedSize(Wire.range(request.getRange())));
  }

  Reply.Builder splitPoints(FindSplitPoints request) {
    List<Key> points =
        database.splitPoints(Wire.range(request.getRange()), request.getPieceBytes());
    return Reply.newBuilder().setKeys(Keys.newBuilder().addAllKeys(fitting(points)));
  }

  /** As many of the points as fit in a reply, two at least: the client asks for the rest. */
  private static List<ByteString> fitting(List<Key> points) {
    int count = 0;
    for (long bytes = 0;
        count < points.size() && (count < 2 || bytes < LargeReads.REPLY_BYTES);
        count++) {
      bytes += points.get(count).size();
    }
    return Wire.bytes(points.subList(0, count));
  }

  Reply.Builder timeOf(TimeOfVersion request) {
    Instant time = database.timeOf(request.getVersion());
    return Reply.newBuilder()
        .setTime(Time.newBuilder().setSeconds(time.getEpochSecond()).setNanos(time.getNano()));
  }

  Reply.Builder versionAt(VersionAtTime request) {
    Time time = request.getTime();
    Instant instant = Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    return Reply.newBuilder().setVersion(database.versionAt(instant));
  }
}
