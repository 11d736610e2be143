package dev.tidemark.pulse.internal.spi;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Capabilities;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.StreamOptions;
import java.time.Instant;

/** What a store has to offer for streams, maps and pools. Everything else is written once. */
public interface Backend extends AutoCloseable {
  /** What the store can promise. */
  Capabilities capabilities();

  /** The events of the stream {@code name}. */
  StreamStore stream(String name, StreamOptions options);

  /** The entries of the map {@code name}. */
  MapStore map(String name, MapOptions options);

  /** The rows of the pool {@code name}. */
  RowStore pool(String name);

  /**
   * The time of the store, as well as this process knows it: learned from the store, carried on by
   * a clock that never steps back. Leases and due times are compared with it.
   */
  Instant now();

  /**
   * Clears some of the streams and maps whose time is over, where the store does not do so itself.
   * Nodes of pools call it from time to time.
   */
  void sweepExpired();

  /** The clock that waits are measured with. */
  TimeSource time();

  /** Releases connections and threads. */
  @Override
  void close();
}
