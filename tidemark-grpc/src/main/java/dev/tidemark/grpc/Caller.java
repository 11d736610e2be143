package dev.tidemark.grpc;

import io.grpc.Context;
import java.util.concurrent.Executor;

/**
 * The caller of a method, and the thread on which the call came.
 *
 * @param role what the caller may do; {@link Role#NODE} for everybody where the listener has no
 *     tokens
 * @param thread runs tasks later on the network thread that the call came on. Where handlers run on
 *     virtual threads, it starts a new one for each task
 * @param room the memory of the network for all callers together
 */
public record Caller(Role role, Executor thread, NetworkRoom room) {
  /** Where gRPC carries the caller of a call. */
  public static final Context.Key<Caller> KEY = Context.key("tidemark-caller");

  /**
   * The caller of the call that the current thread handles.
   *
   * @throws IllegalStateException outside of a call to a {@link GrpcListener}
   */
  public static Caller current() {
    Caller caller = KEY.get();
    if (caller == null) {
      throw new IllegalStateException(
          "This thread handles no call of a GrpcListener; ask for the caller in the handler, before"
              + " its work moves to another thread");
    }
    return caller;
  }
}
