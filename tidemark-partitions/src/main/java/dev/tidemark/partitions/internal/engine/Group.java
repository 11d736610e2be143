package dev.tidemark.partitions.internal.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests that end together, so that their replies leave together. For one thread. */
final class Group {
  private final List<Ended> told = new ArrayList<>();

  /** {@code call} has ended, or is about to. */
  void add(PartitionCall<?> call) {
    add(call.told());
  }

  /** Somebody was told of an end. */
  void add(@Nullable Ended one) {
    if (one != null) {
      told.add(one);
    }
  }

  /** Has every receiver that was told send its replies. */
  void flush() {
    if (!told.isEmpty()) {
      told.forEach(Ended::flush);
      told.clear();
    }
  }
}
