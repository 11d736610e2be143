package dev.tidemark.records.internal.query;

import dev.tidemark.records.RecordType;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Conditions of one type, made ready to be asked of the bytes of records. They are kept, because to
 * make them takes longer than a query for one record. Safe for several threads.
 */
final class RecordChecks {
  /** How many are kept; plans are fewer, and each has a few conditions. */
  private static final int MOST = 2_000;

  private final RecordType<?> type;
  private final Map<Condition, Optional<WireTests>> tests = new ConcurrentHashMap<>();

  RecordChecks(RecordType<?> type) {
    this.type = type;
  }

  /** The test of {@code condition}; empty if it can only be asked of decoded records. */
  Optional<WireTests> of(Condition condition) {
    Optional<WireTests> known = tests.get(condition);
    if (known == null) {
      if (tests.size() >= MOST) {
        tests.clear();
      }
      known = WireTests.of(type, condition);
      tests.put(condition, known);
    }
    return known;
  }
}
