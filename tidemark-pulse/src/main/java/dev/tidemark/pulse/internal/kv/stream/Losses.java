package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.pulse.LostEvents;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the program of events that its sink never got. Used by the thread that claims. */
final class Losses {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");

  private final String sink;
  private final Consumer<LostEvents> listener;
  private @Nullable LostEvents noticed;
  private boolean told;

  Losses(String sink, Consumer<LostEvents> listener) {
    this.sink = sink;
    this.listener = listener;
  }

  /** What an attempt to claim noticed, in place of what the one before it did. */
  void notice(@Nullable LostEvents lost) {
    noticed = lost;
  }

  /** Tells what the attempt noticed that was committed. */
  void tell() {
    LostEvents lost = noticed;
    noticed = null;
    if (lost == null) {
      return;
    }
    if (!told) {
      told = true;
      LOG.log(
          Level.WARNING,
          "The sink {0} was overtaken: the stream {1} dropped events between {2} and {3} by its maximum length before the sink got them. Give the stream more room (withLengthMax), or the sink more instances",
          sink,
          lost.stream(),
          lost.after(),
          lost.before());
    }
    try {
      listener.accept(lost);
    } catch (RuntimeException failure) {
      LOG.log(
          Level.WARNING, "The listener for lost events of the sink " + sink + " failed", failure);
    }
  }
}
