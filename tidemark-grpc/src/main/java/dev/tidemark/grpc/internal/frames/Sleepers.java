package dev.tidemark.grpc.internal.frames;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/*
 * Why virtual threads are woken by one of their own
 *
 * A thread of the network that wakes many virtual threads wakes the threads that carry them, too,
 * again and again: they take what is there, find no more, and go to sleep before the next one comes.
 * A virtual thread that wakes the others puts them in the line of its own carrier, which costs next
 * to nothing. It needs a carrier itself, but so do they. Threads of the machine wait for nobody.
 */

/** Threads that wait and are about to be woken. For one thread. */
public final class Sleepers {
  /** Fewer are woken one by one. */
  private static final int MANY = 4;

  private final List<Thread> virtual = new ArrayList<>();

  /** Adds {@code thread}, if it is one; one of the machine is woken at once. */
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
