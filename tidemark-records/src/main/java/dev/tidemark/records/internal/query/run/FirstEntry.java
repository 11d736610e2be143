package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.query.plan.Access;
import dev.tidemark.records.internal.query.scan.AccessRanges;
import dev.tidemark.records.internal.space.TypeView;
import java.util.function.Predicate;

/**
 * Tests whether the entry by which a record was found is the first of its entries in the access. So
 * each record comes once, without a set of returned records.
 */
final class FirstEntry<R> implements Predicate<Hit.Loaded> {
  private final TypeView<R> view;
  private final HitReader<R> reader;
  private final AccessRanges ranges;
  private final String index;
  private final boolean reverse;

  FirstEntry(TypeView<R> view, HitReader<R> reader, AccessRanges ranges, Access access) {
    this.view = view;
    this.reader = reader;
    this.ranges = ranges;
    this.index = access.index().orElseThrow();
    this.reverse = access.reverse();
  }

  @Override
  public boolean test(Hit.Loaded hit) {
    Key found = hit.found().key();
    Tuple primaryKey = Tuple.unpack(reader.primaryKey(hit));
    for (Key other : view.entryKeys(index, reader.record(hit), primaryKey)) {
      int order = other.compareTo(found);
      if ((reverse ? order > 0 : order < 0) && ranges.contains(other.unsafeBytes())) {
        return false;
      }
    }
    return true;
  }
}
