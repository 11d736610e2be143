package dev.tidemark.records.internal.build;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.tuple.MalformedTupleException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.index.IndexWriter;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.space.IndexStates;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The parts of the primary keys that the workers of a build process. Each part has one worker at a
 * time. Other programs may build as well: each begins at a random part, takes parts that are
 * untouched, and finishes those of others only at the end.
 */
final class Fragments {
  private static final int FRAGMENTS_WANTED = 48;
  private static final long BYTES_MIN = 128 << 10;
  private static final long BYTES_MAX = 64 << 20;

  // Guarded by this.
  private final Deque<KeyRange> untouched;
  private final Deque<KeyRange> begun = new ArrayDeque<>();

  private Fragments(List<KeyRange> parts) {
    this.untouched = new ArrayDeque<>(parts);
  }

  /**
   * A part to work on.
   *
   * @param range primary keys
   * @param wholeOnly whether to leave it to others if they have begun it
   */
  record Fragment(KeyRange range, boolean wholeOnly) {
    /** The part as text. */
    String text() {
      boolean first = range.begin().equals(IndexStates.EVERY_RECORD.begin());
      boolean last = range.end().equals(IndexStates.EVERY_RECORD.end());
      return "records from %s to before %s"
          .formatted(
              first ? "the first" : Tuple.unpack(range.begin()),
              last ? "the end" : Tuple.unpack(range.end()));
    }
  }

  /** Cuts the records of {@code keys}, whose primary keys have {@code columns} columns. */
  static Fragments of(Database database, TypeKeys keys, int columns) {
    KeyRange all = keys.records(IndexStates.EVERY_RECORD);
    long bytes = database.estimatedSize(all) / FRAGMENTS_WANTED;
    List<Key> cuts =
        database.splitPoints(all, Math.clamp(bytes, BYTES_MIN, BYTES_MAX)).stream()
            .flatMap(cut -> primaryKey(keys, cut, columns).stream())
            .distinct()
            .sorted()
            .toList();
    List<KeyRange> parts = new ArrayList<>();
    Key begin = IndexStates.EVERY_RECORD.begin();
    for (Key cut : cuts) {
      parts.add(KeyRange.of(begin, cut));
      begin = cut;
    }
    parts.add(KeyRange.of(begin, IndexStates.EVERY_RECORD.end()));
    Collections.rotate(parts, ThreadLocalRandom.current().nextInt(parts.size()));
    return new Fragments(parts);
  }

  /** The primary key of a cut; empty for a cut without one, as a store may make it. */
  private static Optional<Key> primaryKey(TypeKeys keys, Key cut, int columns) {
    if (!keys.space().contains(cut)) {
      return Optional.empty();
    }
    try {
      Tuple whole = keys.space().unpack(cut);
      return whole.size() < columns
          ? Optional.empty()
          : Optional.of(IndexWriter.progressKey(whole.subTuple(0, columns)));
    } catch (MalformedTupleException inTheMiddle) {
      return Optional.empty();
    }
  }

  /** The next part for a worker that has none. */
  synchronized Optional<Fragment> take() {
    if (!untouched.isEmpty()) {
      return Optional.of(new Fragment(untouched.remove(), true));
    }
    return begun.isEmpty() ? Optional.empty() : Optional.of(new Fragment(begun.remove(), false));
  }

  /** Returns a part that others have begun. */
  synchronized void putBack(Fragment fragment) {
    begun.add(fragment.range());
  }
}
