package dev.tidemark.pulse;

import java.util.Optional;

/** A handler that is given events until it is closed. */
public interface Subscription extends AutoCloseable {
  /** What ended the subscription, if something did. */
  Optional<RuntimeException> failure();

  /** Whether the handler gets no more events. */
  boolean isEnded();

  /** Ends it; a handler that is running is interrupted and waited for, at most a second. */
  @Override
  void close();
}
