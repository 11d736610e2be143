package dev.tidemark.records.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of records with its total in an aggregate index.
 *
 * @param key the values that its records share, in the order of the index's columns; null where
 *     they have none, an enum as the name of its constant
 * @param value a {@link Long} for counts and sums, a {@link Double} for averages, a value of the
 *     column for extremes
 */
public record Group(List<@Nullable Object> key, Object value) {
  /** Copies the key. */
  public Group {
    key = Collections.unmodifiableList(new ArrayList<>(key));
  }
}
