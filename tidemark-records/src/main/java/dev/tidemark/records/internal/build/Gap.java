package dev.tidemark.records.internal.build;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.internal.index.Maintainer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A range of primary keys that some indexes lack.
 *
 * @param range the keys
 * @param indexes those that lack all of them; the others have all of them
 */
record Gap(KeyRange range, List<Maintainer> indexes) {
  /** The first gap of any of {@code indexes} in {@code part}. */
  static Optional<Gap> first(Transaction tx, List<Maintainer> indexes, KeyRange part) {
    Map<Maintainer, KeyRange> missing = new LinkedHashMap<>();
    for (Maintainer index : indexes) {
      List<KeyRange> first = index.keys().built().missing(tx, part, 1);
      if (!first.isEmpty()) {
        missing.put(index, first.getFirst());
      }
    }
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    Key begin = missing.values().stream().map(KeyRange::begin).min(Key::compareTo).orElseThrow();
    Key end = part.end();
    List<Maintainer> lacking = new ArrayList<>();
    for (Map.Entry<Maintainer, KeyRange> each : missing.entrySet()) {
      boolean lacks = each.getValue().begin().equals(begin);
      if (lacks) {
        lacking.add(each.getKey());
      }
      Key until = lacks ? each.getValue().end() : each.getValue().begin();
      end = until.compareTo(end) < 0 ? until : end;
    }
    return Optional.of(new Gap(KeyRange.of(begin, end), List.copyOf(lacking)));
  }

  /** Whether adding an entry twice is harmless for all of them. */
  boolean isIdempotent() {
    return indexes.stream().allMatch(Maintainer::idempotent);
  }
}
