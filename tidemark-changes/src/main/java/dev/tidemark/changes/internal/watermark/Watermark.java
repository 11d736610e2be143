package dev.tidemark.changes.internal.watermark;

import dev.tidemark.changes.Position;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The least frontier of all unfinished partitions. It never goes back. */
public final class Watermark {
  private final Comparator<Frontier> order;
  private final AtomicReference<@Nullable Frontier> latest = new AtomicReference<>();

  /** A watermark that is not known yet. */
  public Watermark(Comparator<Position> positions) {
    this.order = Frontier.by(positions);
  }

  /**
   * Takes the least of {@code frontiers}; if there are none, everything up to {@code end}, if there
   * is an end, and otherwise what it was.
   */
  public void update(Collection<Frontier> frontiers, Optional<Position> end) {
    frontiers.stream()
        .min(order)
        .or(() -> end.map(Frontier::through))
        .ifPresent(least -> latest.accumulateAndGet(least, this::later));
  }

  private @Nullable Frontier later(@Nullable Frontier before, @Nullable Frontier next) {
    boolean isLater = before == null || (next != null && order.compare(next, before) > 0);
    return isLater ? next : before;
  }

  /** The watermark, once it is known. */
  public Optional<Frontier> get() {
    return Optional.ofNullable(latest.get());
  }
}
