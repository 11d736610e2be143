package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Codec;
import dev.tidemark.pulse.Capabilities;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.common.OpenHandles;
import dev.tidemark.pulse.internal.map.MapCopy;
import dev.tidemark.pulse.internal.pool.client.DispatchClient;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.node.WorkerNode;
import dev.tidemark.pulse.internal.spi.Backend;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.Names;
import dev.tidemark.pulse.internal.stream.CheckedStream;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolOptions;
import java.util.function.UnaryOperator;

/** Streams, maps and pools over whatever a {@link Backend} offers. */
public final class BackendPulse implements Pulse {
  private final Backend backend;
  private final OpenHandles handles = new OpenHandles();

  /** A pulse over {@code backend}, which it closes. */
  public BackendPulse(Backend backend) {
    this.backend = backend;
  }

  @Override
  public Capabilities capabilities() {
    return backend.capabilities();
  }

  @Override
  public EventStream stream(String name, UnaryOperator<StreamOptions> options) {
    handles.checkOpen();
    Names.check("stream", name);
    StreamOptions chosen = options.apply(StreamOptions.DEFAULTS);
    return new CheckedStream(name, chosen, backend, handles);
  }

  @Override
  public <K, V> ReplicatedMap<K, V> map(
      String name, Codec<K> keys, Codec<V> values, UnaryOperator<MapOptions> options) {
    handles.checkOpen();
    Names.check("map", name);
    MapStore store = backend.map(name, options.apply(MapOptions.DEFAULTS));
    return MapCopy.join(name, store, keys, values, backend.time(), handles);
  }

  @Override
  public PoolNode pool(String name, UnaryOperator<PoolOptions> options) {
    return handles.add(WorkerNode.join(core(name, options), handles));
  }

  @Override
  public PoolClient poolClient(String name, UnaryOperator<PoolOptions> options) {
    return handles.add(new DispatchClient(core(name, options), handles));
  }

  private PoolCore core(String name, UnaryOperator<PoolOptions> options) {
    handles.checkOpen();
    Names.check("pool", name);
    return PoolCore.open(backend, name, options.apply(PoolOptions.DEFAULTS));
  }

  @Override
  public void close() {
    try {
      handles.close();
    } finally {
      backend.close();
    }
  }
}
