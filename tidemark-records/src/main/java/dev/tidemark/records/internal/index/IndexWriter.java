package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.internal.index.Maintainer.Change;
import dev.tidemark.records.internal.index.OpenType.OpenIndex;
import dev.tidemark.records.maintenance.IndexState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/*
 * While an index is being built, each record must reach it exactly once: through the builder or through
 * the writer of the record. For an index that takes an entry twice without harm the writer always
 * writes. For one that counts, the writer asks whether the builder has passed the record's primary key:
 * if so the writer applies the difference, if not the builder will find what the writer leaves. The
 * question puts the primary key among the writer's read conflicts, and the builder writes a conflict over
 * all that it passes; the builder reads the records that it passes serializably. So whichever of the two
 * commits second meets a conflict and decides anew.
 */

/** Computes the changes that a change of a record makes to the indexes of its type. */
public final class IndexWriter {
  private IndexWriter() {}

  /**
   * The changes of all indexes of {@code type} when {@code after} replaces {@code before}; null for
   * no record.
   */
  public static List<Change> changes(
      Transaction tx,
      OpenType type,
      @Nullable Image before,
      @Nullable Image after,
      Tuple primaryKey) {
    List<Change> changes = new ArrayList<>(type.indexes().size());
    for (OpenIndex index : type.indexes()) {
      if (isWritersTurn(tx, index, primaryKey)) {
        Object old = before == null ? null : before.seenBy(index);
        Object now = after == null ? null : after.seenBy(index);
        changes.add(index.maintainer().change(old, now, primaryKey));
      }
    }
    return changes;
  }

  /**
   * A record before or after a change.
   *
   * @param record the record
   * @param bytes its bytes in wire format, from {@code start} on, with the fields that the program
   *     does not know
   * @param start where they begin
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Image(Object record, byte[] bytes, int start) {
    private Object seenBy(OpenIndex index) {
      RecordCodec<?> described = index.described();
      return described == null
          ? record
          : Objects.requireNonNull(
              described.read(new RecordReader(bytes, start, bytes.length - start)));
    }
  }

  private static boolean isWritersTurn(Transaction tx, OpenIndex index, Tuple primaryKey) {
    return index.state() != IndexState.WRITE_ONLY
        || index.maintainer().idempotent()
        || index.maintainer().keys().built().contains(tx, progressKey(primaryKey));
  }

  /** The position of a record in the order in which builders process records. */
  public static Key progressKey(Tuple primaryKey) {
    return primaryKey.toKey();
  }

  /**
   * The position right behind that of a record. No record is between the two, because no primary
   * key is a prefix of another one.
   */
  public static Key progressBehind(Tuple primaryKey) {
    return progressKey(primaryKey).append((byte) 0xff);
  }
}
