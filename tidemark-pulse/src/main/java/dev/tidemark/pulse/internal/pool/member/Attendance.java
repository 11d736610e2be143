package dev.tidemark.pulse.internal.pool.member;

import dev.tidemark.coordination.Heartbeat;
import dev.tidemark.coordination.LeaseWatch;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import java.util.function.Consumer;

/**
 * What accompanies one life of a node: the renewal of its lease, the watch for the loss of the
 * lease, and the listener of its channel. The first two run on platform threads, so that no job can
 * starve them.
 */
public final class Attendance implements AutoCloseable {
  private final LeaseWatch watch;
  private final Heartbeat heartbeat;
  private final RowStore.Listening channel;

  /**
   * Begins to attend {@code life}.
   *
   * @param onLost called once when the lease is lost
   * @param onBeat called after every renewal, and after one that found the lease lost
   * @param told gets what the channel of the node says
   */
  public Attendance(NodeLife life, Runnable onLost, Runnable onBeat, Consumer<byte[]> told) {
    this.watch = new LeaseWatch("pulse-lease-" + life.id(), life.lease(), onLost);
    this.heartbeat =
        new Heartbeat("pulse-heartbeat-" + life.id(), life.lease(), new Beats(life, onBeat));
    try {
      this.channel = life.core().rows().onWake(PoolKeys.nodeChannel(life.id()), told);
    } catch (RuntimeException refused) {
      watch.close();
      heartbeat.close();
      throw refused;
    }
  }

  private record Beats(NodeLife life, Runnable onBeat) implements Heartbeat.Steps {
    @Override
    public boolean renew() {
      return life.renew();
    }

    @Override
    public void beaten() {
      onBeat.run();
    }

    @Override
    public void failed(Throwable failure) {
      life.core()
          .reportAside("The lease of the node %s was not renewed".formatted(life.id()), failure);
    }
  }

  /** Has the watch look now, because the store says that the lease is lost. */
  public void lookAtLease() {
    watch.look();
  }

  /** The same, and waits until all that follows from the loss is done. */
  public void awaitLoss() {
    watch.look();
    watch.awaitEnd();
  }

  @Override
  public void close() {
    watch.close();
    heartbeat.close();
    channel.close();
  }
}
