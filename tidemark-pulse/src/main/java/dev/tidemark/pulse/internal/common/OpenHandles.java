package dev.tidemark.pulse.internal.common;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The handles of a {@code Pulse} that are still open. */
public final class OpenHandles implements AutoCloseable {
  // Guarded by this.
  private final Set<Handle> open = new LinkedHashSet<>();
  private boolean closed;

  /** Something that is closed with the {@code Pulse}, unless it was closed before. */
  public interface Handle extends AutoCloseable {
    /** Closes it. Called again without harm. */
    @Override
    void close();

    /** Ends what is left of it after {@link #close} has failed, whatever that leaves undone. */
    default void abandon() {}
  }

  /**
   * Takes {@code handle} in and returns it.
   *
   * @throws IllegalStateException if the {@code Pulse} is closed; the handle is closed then
   */
  public <T extends Handle> T add(T handle) {
    synchronized (this) {
      if (!closed) {
        open.add(handle);
        return handle;
      }
    }
    IllegalStateException refused = closedPulse();
    close(handle, refused);
    throw refused;
  }

  /** Forgets {@code handle}, which has been closed. */
  public synchronized void remove(Handle handle) {
    open.remove(handle);
  }

  /**
   * Passes if the {@code Pulse} is open.
   *
   * @throws IllegalStateException if it is closed
   */
  public synchronized void checkOpen() {
    if (closed) {
      throw closedPulse();
    }
  }

  private static IllegalStateException closedPulse() {
    return new IllegalStateException("The Pulse is closed; open another one");
  }

  /**
   * Closes what is still open, newest first; a failure does not keep the others from closing. What
   * cannot be closed is abandoned: nobody is left who could try again.
   */
  @Override
  public void close() {
    List<Handle> left;
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(open).reversed();
      open.clear();
    }
    RuntimeException first = null;
    for (Handle handle : left) {
      first = close(handle, first);
    }
    if (first != null) {
      throw first;
    }
  }

  private static @Nullable RuntimeException close(
      Handle handle, @Nullable RuntimeException earlier) {
    try {
      handle.close();
      return earlier;
    } catch (RuntimeException failure) {
      abandon(handle, failure);
      if (earlier == null) {
        return failure;
      }
      earlier.addSuppressed(failure);
      return earlier;
    }
  }

  private static void abandon(Handle handle, RuntimeException failure) {
    try {
      handle.abandon();
    } catch (RuntimeException another) {
      failure.addSuppressed(another);
    }
  }
}
