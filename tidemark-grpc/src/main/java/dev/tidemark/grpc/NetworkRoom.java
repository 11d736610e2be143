package dev.tidemark.grpc;

/**
 * The memory that the network holds for all clients of a listener. A layer with large replies
 * checks before each reply that there is room for it, beside checking that its client is ready.
 */
public interface NetworkRoom {
  /**
   * Whether {@link ListenerOptions#networkBytes} are in use. This ends when the connections that
   * hold the most have been closed.
   */
  boolean isFull();

  /** Runs {@code action} once there is room; at once if there is room now. It must not block. */
  void whenFree(Runnable action);
}
