package dev.tidemark.grpc.internal.server;

import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Refuses connections beyond a number, whether they have calls or not. A layer that limits its
 * clients refuses them in their calls; this is for connections without calls.
 */
public final class ConnectionLimit extends ServerTransportFilter {
  private static final Attributes.Key<Boolean> COUNTED = Attributes.Key.create("tidemark-counted");

  /** Ends a connection. It is logged by gRPC, and so has no stack trace. */
  private static final class TooManyConnectionsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyConnectionsException(int most) {
      super("the server has %,d connections, its limit".formatted(most), null, false, false);
    }
  }

  private final int most;
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder refused = new LongAdder();

  /** A limit of {@code most} connections. */
  public ConnectionLimit(int most) {
    this.most = most;
  }

  /** How many connections are open. */
  public int open() {
    return open.get();
  }

  /** How many were refused. */
  public long refused() {
    return refused.sum();
  }

  @Override
  public Attributes transportReady(Attributes attributes) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      refused.increment();
      throw new TooManyConnectionsException(most);
    }
    return attributes.toBuilder().set(COUNTED, true).build();
  }

  /** There are no attributes if the connection was refused, or ended before it was ready. */
  @Override
  public void transportTerminated(@Nullable Attributes attributes) {
    if (attributes != null && attributes.get(COUNTED) != null) {
      open.decrementAndGet();
    }
  }
}
