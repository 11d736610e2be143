package dev.tidemark.grpc;

/**
 * The memory that the network holds for all clients of a listener. A layer that answers with much
 * asks here before each reply whether there is room for it, beside whether its client is ready.
 */
public interface NetworkRoom {
  /**
   * Whether {@link ListenerOptions#networkBytes} are in use. It lasts no longer than it takes to
   * close the connections that hold the most.
   */
  boolean isFull();

  /** Runs {@code action} once there is room; at once if there is room now. It must not block. */
  void whenFree(Runnable action);
}
