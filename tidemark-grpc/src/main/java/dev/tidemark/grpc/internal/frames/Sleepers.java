package dev.tidemark.grpc.internal.frames;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/*
 * Why a virtual thread wakes the others
 *
 * A thread of the network that wakes many virtual threads wakes their carriers too, again and
 * again: a carrier takes what is there, finds no more, and sleeps before the next one comes. A
 * virtual thread that wakes others puts them into the queue of its own carrier, which costs next
 * to nothing. It needs a carrier itself, but so do they. Platform threads are woken directly.
 */

/** Threads that wait and are about to be woken. For one thread. */
public final class Sleepers {
  /** Fewer are woken one by one. */
  private static final int MANY = 4;

  private final List<Thread> virtual = new ArrayList<>();

  /** Adds {@code thread}, unless it is null; a platform thread is woken at once. */
  public void add(@Nullable Thread thread) {
    if (thread == null || !thread.isVirtual()) {
      LockSupport.unpark(thread);
    } else {
      virtual.add(thread);
    }
  }

  /** Wakes the others. */
  public void wake() {
    if (virtual.size() < MANY) {
      virtual.forEach(LockSupport::unpark);
    } else {
      Thread.startVirtualThread(() -> virtual.forEach(LockSupport::unpark));
    }
  }
}
