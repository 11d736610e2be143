package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.records.changes.ModType;
import dev.tidemark.records.internal.changes.CapturePlan.OpenStream;
import dev.tidemark.records.internal.changes.PartitionMap.Place;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.internal.keys.StreamKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.ChangeStreamSpec.Exclusion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the changes of one transaction into the log of one stream. */
final class LogWriter {
  /** The stamp goes to the beginning of the value; its place follows in the last four bytes. */
  private static final byte[] STAMP = new byte[Versionstamp.BYTES + Integer.BYTES];

  private final Space space;
  private final SpaceState state;
  private final OpenStream stream;
  private final ChangeStreamSpec spec;
  private final String tag;
  private final List<Row> rows = new ArrayList<>();

  /** A change that is recorded. */
  private record Row(Place place, String type, RecordKey key, Content content, boolean system) {
    int partition() {
      return place.partition();
    }
  }

  LogWriter(Space space, SpaceState state, OpenStream stream, String tag) {
    this.space = space;
    this.state = state;
    this.stream = stream;
    this.spec = stream.info().spec();
    this.tag = tag;
  }

  void add(FoldedChange change, Place place) {
    Set<Integer> watched = stream.fields(change.type());
    CaptureType capture = spec.capture();
    Wire expired = change.expired();
    if (expired != null) {
      add(change, place, Content.delete(expired, capture, watched), true);
    }
    add(change, place, content(change, capture, watched), change.bySystem());
  }

  private static @Nullable Content content(
      FoldedChange change, CaptureType capture, @Nullable Set<Integer> watched) {
    Wire old = change.old();
    Wire now = change.now();
    if (old == null) {
      return now == null ? null : Content.insert(now, watched);
    }
    return now == null
        ? Content.delete(old, capture, watched)
        : Content.update(old, now, capture, watched);
  }

  private void add(FoldedChange change, Place place, @Nullable Content content, boolean system) {
    if (content != null && !isExcluded(content.modType(), system)) {
      rows.add(new Row(place, change.type(), change.key(), content, system));
    }
  }

  private boolean isExcluded(ModType modType, boolean system) {
    Set<Exclusion> exclusions = spec.exclusions();
    return !exclusions.isEmpty()
        && switch (modType) {
          case INSERT -> exclusions.contains(Exclusion.INSERTS);
          case UPDATE -> exclusions.contains(Exclusion.UPDATES);
          case DELETE ->
              exclusions.contains(Exclusion.DELETES)
                  || (system && exclusions.contains(Exclusion.TTL_DELETES));
        };
  }

  void write(Transaction tx) {
    if (rows.isEmpty()) {
      return;
    }
    Map<Integer, Integer> lastOf = lastOfEach();
    int valueMax = space.database().limits().valueBytes();
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      boolean last = lastOf.getOrDefault(row.partition(), -1) == i;
      new LogRow.Change(
              last,
              row.system(),
              spec.capture(),
              state.header().typeId(row.type()),
              new Wire(row.key().primaryKey().pack()),
              rows.size(),
              lastOf.size(),
              tag,
              new Wire(space.sealChange(row.content().toBytes(), row.key().main())))
          .write(tx, row.place().log(), i, valueMax);
    }
    wake(tx, stream.keys());
    space.activity().capture(rows.size());
  }

  /** The place of the last row of each partition. */
  private Map<Integer, Integer> lastOfEach() {
    if (rows.size() == 1) {
      return Map.of(rows.getFirst().partition(), 0);
    }
    Map<Integer, Integer> lastOf = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      lastOf.put(rows.get(i).partition(), i);
    }
    return lastOf;
  }

  /** Has the commit of {@code tx} wake those who wait for something new. */
  static void wake(Transaction tx, StreamKeys keys) {
    tx.nextWriteWithoutConflict();
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, keys.wake(), STAMP);
  }
}
