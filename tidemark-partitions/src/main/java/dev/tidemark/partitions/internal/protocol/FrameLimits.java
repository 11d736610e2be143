package dev.tidemark.partitions.internal.protocol;

/** How large messages between clients and servers may be. */
public final class FrameLimits {
  /** The longest request and the longest reply. */
  public static final int REQUEST_BYTES = 4 << 20;

  /** The longest frame: one of the longest requests, and what is around it. */
  public static final int FRAME_BYTES = REQUEST_BYTES + (64 << 10);

  private FrameLimits() {}
}
