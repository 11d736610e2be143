package dev.tidemark.changes;

import dev.tidemark.changes.internal.delivery.HandOff;
import dev.tidemark.changes.internal.delivery.PendingDelivery;
import dev.tidemark.kv.InterruptedOperationException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The iterator of a reader. */
final class PulledChanges implements ChangeIterator {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final ChangeReader reader;
  private final HandOff handOff;
  private final boolean autoAck;
  private @Nullable PendingDelivery latest;
  private @Nullable PendingDelivery ahead;

  PulledChanges(ChangeReader reader, HandOff handOff, boolean autoAck) {
    this.reader = reader;
    this.handOff = handOff;
    this.autoAck = autoAck;
  }

  @Override
  public Optional<Delivery> next(Duration wait) throws InterruptedException {
    look(wait);
    PendingDelivery found = ahead;
    ahead = null;
    latest = found;
    return Optional.ofNullable(found);
  }

  @Override
  public boolean hasNext() {
    try {
      while (!look(LOOK_AGAIN)) {
        if (reader.endReason().isPresent()) {
          failIfFailed();
          return false;
        }
      }
      return true;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for a change", interrupt);
    }
  }

  @Override
  public Delivery next() {
    PendingDelivery found = hasNext() ? ahead : null;
    if (found == null) {
      throw new NoSuchElementException("The reader has ended: " + reader.endReason());
    }
    ahead = null;
    latest = found;
    return found;
  }

  /** Acknowledges the previous change and takes the next one, unless it has been taken already. */
  private boolean look(Duration wait) throws InterruptedException {
    if (ahead == null) {
      PendingDelivery before = latest;
      if (before != null && autoAck) {
        before.ack();
      }
      latest = null;
      ahead = handOff.take(wait).orElse(null);
      if (ahead == null) {
        failIfFailed();
      }
    }
    return ahead != null;
  }

  private void failIfFailed() {
    if (reader.endReason().orElse(null) instanceof EndReason.Failed failed) {
      Throwable cause = failed.cause();
      String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
      throw new ChangeReaderException("The reader has failed: " + why, cause);
    }
  }
}
