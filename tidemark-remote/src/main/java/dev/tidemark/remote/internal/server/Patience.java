package dev.tidemark.remote.internal.server;

import org.jspecify.annotations.Nullable;

/** How long one client may keep the server waiting. Used by the server's timer only. */
final class Patience {
  /** Ticks of the timer without progress after which a client is cut off. */
  static final int TICKS = 8;

  private Look last = new Look(false, false, 0, false, 0);
  private int ticksWithoutProgress;

  /**
   * The state of a client at a tick.
   *
   * @param greeted whether it has greeted
   * @param repliesWait whether replies are queued for it
   * @param framesSent how many frames it has taken so far
   * @param withinFrame whether a frame has arrived in part
   * @param bytesReceived how many bytes have come from it so far
   */
  record Look(
      boolean greeted,
      boolean repliesWait,
      long framesSent,
      boolean withinFrame,
      long bytesReceived) {}

  /** Why the client has to be cut off, returned once; null if it need not be. */
  @Nullable String lostWith(Look now) {
    String why = null;
    if (!now.greeted()) {
      why = "the client has not greeted";
    } else if (now.repliesWait() && now.framesSent() == last.framesSent()) {
      why = "the client does not take its replies";
    } else if (now.withinFrame() && now.bytesReceived() == last.bytesReceived()) {
      why = "the client does not send the rest of its frame";
    }
    last = now;
    ticksWithoutProgress = why == null ? 0 : ticksWithoutProgress + 1;
    return ticksWithoutProgress == TICKS + 1 ? why : null;
  }
}
