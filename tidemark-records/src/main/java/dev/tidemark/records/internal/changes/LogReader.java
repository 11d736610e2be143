package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.changes.ChangeBatch;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.changes.PartitionEnd;
import dev.tidemark.records.internal.keys.StreamKeys;
import dev.tidemark.records.internal.space.Space;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the next changes of one partition, once. */
final class LogReader {
  // As tuples have them: a versionstamp, and an integer of no digits.
  private static final int STAMP_CODE = 0x33;
  private static final int STAMP_BYTES = 1 + Versionstamp.BYTES;
  private static final int ZERO_CODE = 0x14;

  private final Space space;
  private final StreamState stream;
  private final ReadTransaction tx;

  LogReader(Space space, StreamState stream, ReadTransaction tx) {
    this.space = space;
    this.stream = stream;
    this.tx = tx.snapshot();
  }

  ChangeBatch read(Token token, ChangePosition asked, int maxChanges, int maxBytes) {
    StreamKeys keys = stream.keys();
    Map<Key, byte[]> found =
        stream.get(tx, keys.horizon(), keys.active(token.number()), keys.ended(token.number()));
    ChangePosition earliest = stream.earliest(found.get(keys.horizon()));
    PartitionRow partition = stream.partition(token, found, earliest);
    ChangePosition start = partition.startPosition();
    ChangePosition from = asked.compareTo(start) > 0 ? asked : start;
    stream.checkNotExpired(from, earliest);
    stream.checkNotAhead(tx, from);
    Subspace log = keys.log(token.number());
    Versionstamp ended = partition.ended();
    if (ended != null && from.compareTo(new ChangePosition(ended, 0)) >= 0) {
      return end(List.of(), log, new ChangePosition(ended, 0));
    }
    return scan(log, from, maxChanges, maxBytes);
  }

  /** A read behind the end returns the end again. */
  private ChangeBatch end(List<DataChange> changes, Subspace log, ChangePosition at) {
    byte[] row =
        tx.get(log.pack(at.commit(), at.sequence()))
            .orElseThrow(() -> new DamagedRecordException("The end of a partition is missing"));
    if (LogRow.parse(row) instanceof LogRow.End end) {
      return ended(changes, at, end);
    }
    throw new DamagedRecordException("A partition has ended, and its last row is another one");
  }

  private static ChangeBatch ended(List<DataChange> changes, ChangePosition at, LogRow.End end) {
    List<String> parents = end.parents().stream().map(Token::text).toList();
    List<PartitionEnd.Child> children =
        end.children().stream()
            .map(child -> new PartitionEnd.Child(new Token(at.commit(), child).text(), parents))
            .toList();
    return new ChangeBatch(changes, at, true, Optional.of(new PartitionEnd(at, children)));
  }

  private ChangeBatch scan(Subspace log, ChangePosition from, int maxChanges, int maxBytes) {
    LoggedType.All types = LoggedType.All.of(space, space.state(tx));
    List<DataChange> changes = new ArrayList<>();
    ChangePosition last = from;
    long bytes = 0;
    int prefix = log.prefix().size();
    Iterator<KeyValue> rows = tx.scan(StreamKeys.behind(log, from)).iterator();
    while (rows.hasNext()) {
      if (changes.size() >= maxChanges || bytes >= maxBytes) {
        return new ChangeBatch(changes, last, false, Optional.empty());
      }
      KeyValue next = rows.next();
      last = position(log, prefix, next.key(), last.commit());
      byte[] value = next.value();
      LogRow row = LogRow.parse(value);
      if (row instanceof LogRow.InPieces pieces) {
        value = join(rows, pieces, last);
        row = LogRow.parse(value);
      }
      switch (row) {
        case LogRow.Change change -> {
          int size = next.key().size() + value.length;
          bytes += size;
          changes.add(new LoggedChange(space, types.type(change.type()), last, change, size));
        }
        case LogRow.End end -> {
          return ended(changes, last, end);
        }
        case LogRow.InPieces nested ->
            throw new DamagedRecordException("The change %s is in pieces twice".formatted(last));
      }
    }
    ChangePosition heartbeat = ChangePosition.behind(tx.readVersion());
    return new ChangeBatch(
        changes, heartbeat.compareTo(last) > 0 ? heartbeat : last, true, Optional.empty());
  }

  /**
   * The place that {@code key} says, which shares the stamp {@code before} if it is the same.
   * Nearly all keys have the form that is read here at once; any other one is left to the tuple,
   * which refuses what is none.
   */
  static ChangePosition position(Subspace log, int prefix, Key key, Versionstamp before) {
    byte[] bytes = key.unsafeBytes();
    int digits = bytes.length - prefix - STAMP_BYTES - 1;
    if (digits < 0
        || digits >= Integer.BYTES
        || bytes[prefix] != STAMP_CODE
        || bytes[prefix + STAMP_BYTES] != ZERO_CODE + digits
        || bytes[prefix + STAMP_BYTES - 1] != 0
        || bytes[prefix + STAMP_BYTES - 2] != 0) {
      return position(log, key);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, prefix + 1, Versionstamp.COMMIT_BYTES);
    long version = in.getLong();
    int batch = in.getShort() & 0xffff;
    boolean same = before.version() == version && before.batch() == batch;
    Versionstamp commit = same ? before : Versionstamp.of(version, batch, 0);
    int sequence = 0;
    for (int at = bytes.length - digits; at < bytes.length; at++) {
      sequence = (sequence << Byte.SIZE) | (bytes[at] & 0xff);
    }
    return new ChangePosition(commit, sequence);
  }

  private static ChangePosition position(Subspace log, Key key) {
    Tuple place = log.unpack(key);
    if (place.size() != 2) {
      throw new DamagedRecordException(
          "A change log has the piece %s where a row should begin".formatted(place));
    }
    return new ChangePosition(place.getVersionstamp(0), place.getInt(1));
  }

  private static byte[] join(
      Iterator<KeyValue> rows, LogRow.InPieces pieces, ChangePosition position) {
    if (pieces.length() < 0) {
      throw new DamagedRecordException("The change %s has no length".formatted(position));
    }
    ByteWriter whole = new ByteWriter(1024);
    int found = 0;
    for (int i = 0; i < pieces.pieces() && rows.hasNext(); i++) {
      byte[] piece = rows.next().value();
      found += piece.length;
      whole.put(piece);
    }
    if (found != pieces.length()) {
      throw new DamagedRecordException(
          "The change %s should have %,d pieces of %,d bytes together; there are %,d bytes"
              .formatted(position, pieces.pieces(), pieces.length(), found));
    }
    return whole.toByteArray();
  }
}
