package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/** No rows. */
public final class NoRows implements Rows {
  @Override
  public @Nullable Hit peek() {
    return null;
  }

  @Override
  public void take() {
    throw new IllegalStateException("There is no row to take");
  }

  @Override
  public Tuple position() {
    return Tuple.EMPTY;
  }
}
