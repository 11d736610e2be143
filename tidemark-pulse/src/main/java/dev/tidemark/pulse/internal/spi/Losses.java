package dev.tidemark.pulse.internal.spi;

import dev.tidemark.pulse.LostEvents;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/** Tells the program of events that its sink never got. Used by the thread that claims. */
public final class Losses {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");

  private final String sink;
  private final Consumer<LostEvents> listener;
  private boolean warned;

  /** The losses of {@code sink}, reported to {@code listener}. */
  public Losses(String sink, Consumer<LostEvents> listener) {
    this.sink = sink;
    this.listener = listener;
  }

  /**
   * Calls the listener; logs a warning for the first loss, and whatever the listener throws. An
   * interrupt that the listener leaves behind does not end the thread that claims.
   */
  public void tell(LostEvents lost) {
    if (!warned) {
      warned = true;
      LOG.log(
          Level.WARNING,
          "The sink {0} was overtaken: the stream {1} dropped events between {2} and {3} by its maximum length before the sink got them. Give the stream more room (withLengthMax), or the sink more instances",
          sink,
          lost.stream(),
          lost.after(),
          lost.before());
    }
    boolean interrupted = Thread.currentThread().isInterrupted();
    try {
      listener.accept(lost);
    } catch (RuntimeException failure) {
      LOG.log(
          Level.WARNING, "The listener for lost events of the sink " + sink + " failed", failure);
    } finally {
      if (!interrupted) {
        Thread.interrupted();
      }
    }
  }
}
