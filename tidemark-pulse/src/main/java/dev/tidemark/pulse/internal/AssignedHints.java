package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which jobs were assigned to a node, as its channel says. They spare the node the search for them;
 * when there are too many, or something else may have happened, it searches.
 */
final class AssignedHints {
  private static final int MAX = 256;

  // Guarded by this.
  private final List<Tuple> rows = new ArrayList<>();
  private boolean search = true;

  /** What the channel tells of a row of {@link PoolKeys#ASSIGNED}. */
  static byte[] of(Tuple row) {
    return row.toKey().toByteArray();
  }

  /** Takes in what the channel told. */
  synchronized void add(byte[] hint) {
    if (hint.length == 0 || rows.size() == MAX) {
      search();
    } else if (!search) {
      rows.add(Tuple.unpack(Key.of(hint)));
    }
  }

  /** Has the node search next time. */
  synchronized void search() {
    search = true;
    rows.clear();
  }

  /** The rows that were told since the last time; nothing if the node is to search. */
  synchronized Optional<List<Tuple>> take() {
    Optional<List<Tuple>> told = search ? Optional.empty() : Optional.of(List.copyOf(rows));
    search = false;
    rows.clear();
    return told;
  }
}
