package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.RetryOptions;
import dev.tidemark.kv.DatabaseException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** Failures in a row, and the pause before the next attempt. */
final class Attempts {
  private final RetryOptions options;
  private final DoubleSupplier chance;
  private int failures;

  Attempts(RetryOptions options, DoubleSupplier chance) {
    this.options = options;
    this.chance = chance;
  }

  /** Something went well: the count begins anew. */
  void succeeded() {
    failures = 0;
  }

  /** The pause before another attempt; empty if there is to be none. */
  Optional<Duration> failed(RuntimeException failure) {
    return isWorthwhile(failure) ? again() : Optional.empty();
  }

  /** The pause before another attempt; empty if there were enough. */
  Optional<Duration> again() {
    failures++;
    return failures > options.retries()
        ? Optional.empty()
        : Optional.of(options.pause(failures, chance.getAsDouble()));
  }

  int failures() {
    return failures;
  }

  private boolean isWorthwhile(RuntimeException failure) {
    return switch (failure) {
      case ChangeSourceException source -> options.kinds().contains(source.kind());
      case DatabaseException store -> store.retryable() || store.maybeCommitted();
      default -> false;
    };
  }
}
