package dev.tidemark.records.internal.index;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.UniquenessException;
import dev.tidemark.records.internal.index.Maintainer.Change;
import java.util.HashMap;
import java.util.Map;

/**
 * The unique values that checked but unwritten changes take. The store cannot show yet that two of
 * them take the same values.
 */
public final class Claims {
  private final Map<Claim, Tuple> owners = new HashMap<>();

  private record Claim(String index, Tuple values) {}

  /**
   * Claims the values that {@code change} of the record with {@code primaryKey} adds, or refuses
   * them.
   */
  public void take(Change change, Tuple primaryKey) {
    if (!(change.maintainer() instanceof ValueMaintainer index)) {
      return;
    }
    for (Entry entry : change.added()) {
      index.uniqueValues(entry).ifPresent(values -> take(index, values, primaryKey));
    }
  }

  private void take(ValueMaintainer index, Tuple values, Tuple primaryKey) {
    String name = index.index().name();
    Tuple other = owners.putIfAbsent(new Claim(name, values), primaryKey);
    if (other != null && !other.equals(primaryKey)) {
      throw new UniquenessException(name, values, primaryKey, other);
    }
  }
}
