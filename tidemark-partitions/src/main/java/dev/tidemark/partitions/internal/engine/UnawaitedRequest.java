package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A request that no thread waits for. If its partition has moved, a thread of its own reads from
 * the store whether this very server is the new owner.
 */
final class UnawaitedRequest implements Engine.InLine, Ended {
  /** Makes and places the calls of a request. */
  interface Calls {
    /** Enqueues a call whose outcome {@code told} receives. */
    PartitionCall<?> begin(Ended told);

    /** Enqueues the call again, after reading who owns the partition now. */
    PartitionCall<?> beginAgain(Ended told, PartitionException moved);

    /** The failure with what its receiver needs. */
    PartitionException explained(PartitionException failure);
  }

  private final Calls calls;
  private final Ended told;
  private final AtomicBoolean again = new AtomicBoolean();
  private final AtomicReference<@Nullable PartitionCall<?>> current = new AtomicReference<>();

  UnawaitedRequest(Calls calls, Ended told) {
    this.calls = calls;
    this.told = told;
  }

  void begin() {
    PartitionCall<?> first = calls.begin(this);
    // It may have ended, and another one begun, before this thread comes here.
    current.compareAndSet(null, first);
  }

  @Override
  public void answered(byte[] answer) {
    told.answered(answer);
  }

  @Override
  public void failed(PartitionException why) {
    if (why.reason() != Reason.MOVED) {
      told.failed(why);
    } else if (again.compareAndSet(false, true)) {
      Thread.startVirtualThread(() -> moved(why));
    } else {
      explain(why);
    }
  }

  private void moved(PartitionException why) {
    try {
      current.set(calls.beginAgain(this, why));
    } catch (PartitionException failure) {
      explain(failure);
    } catch (RuntimeException failure) {
      explain(
          new PartitionException(
              Reason.BUSY,
              "It could not be read who owns the partition now; nothing was carried out: "
                  + failure.getMessage(),
              failure));
    }
  }

  /**
   * Tells the receiver why the call failed, which may need a read of the store for the present
   * owner.
   */
  private void explain(PartitionException why) {
    Thread.startVirtualThread(
        () -> {
          told.failed(explained(why));
          told.flush();
        });
  }

  private PartitionException explained(PartitionException why) {
    try {
      return calls.explained(why);
    } catch (RuntimeException unread) {
      why.addSuppressed(unread);
      return why;
    }
  }

  @Override
  public void flush() {
    told.flush();
  }

  @Override
  public void expire(PartitionException why) {
    PartitionCall<?> call = current.get();
    if (call != null) {
      call.fail(why);
      told.flush();
    }
  }
}
