package dev.tidemark.pulse;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.internal.BackendPulse;
import dev.tidemark.pulse.internal.kv.KvBackend;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolOptions;
import java.util.function.UnaryOperator;

/**
 * Streams, maps and pools on one store.
 *
 * <p>What it hands out belongs to whoever asked for it and is closed by them; {@link #close} closes
 * what is still open. Safe for use by many threads.
 */
public interface Pulse extends AutoCloseable {
  /**
   * Streams, maps and pools in the directory {@code pulse} of {@code database}, which stays its
   * owner's to close, after this.
   */
  static Pulse on(Database database) {
    return on(database, DirectoryLayer.DEFAULT.createOrOpen(database, "pulse").subspace());
  }

  /**
   * Streams, maps and pools in {@code space} of {@code database}, which stays its owner's to close,
   * after this. Nothing else may write there.
   */
  static Pulse on(Database database, Subspace space) {
    return new BackendPulse(new KvBackend(database, space));
  }

  /** What the store behind this can promise. */
  Capabilities capabilities();

  /** The stream {@code name} with default options. Nothing is read or written yet. */
  default EventStream stream(String name) {
    return stream(name, UnaryOperator.identity());
  }

  /**
   * The stream {@code name}. Nothing is read or written yet; a stream comes to be with its first
   * event or its first sink.
   *
   * @throws IllegalArgumentException if the name is empty, longer than 512 characters or has a
   *     space, NUL or one of {@code * ? [ ]} in it
   */
  EventStream stream(String name, UnaryOperator<StreamOptions> options);

  /** The map {@code name} of texts with default options. */
  default ReplicatedMap<String, String> map(String name) {
    return map(name, Codec.TEXT, Codec.TEXT, UnaryOperator.identity());
  }

  /**
   * Joins the map {@code name}: when this returns, the local copy has everything that was set
   * before.
   *
   * @throws IllegalArgumentException if the name is not one for a {@link #stream}
   */
  <K, V> ReplicatedMap<K, V> map(
      String name, Codec<K> keys, Codec<V> values, UnaryOperator<MapOptions> options);

  /** Joins the pool {@code name} with default options, to run workers. */
  default PoolNode pool(String name) {
    return pool(name, UnaryOperator.identity());
  }

  /**
   * Joins the pool {@code name} with a node that can run workers.
   *
   * @throws PoolException if the pool is being shut down, or has other options than these
   */
  PoolNode pool(String name, UnaryOperator<PoolOptions> options);

  /** Joins the pool {@code name} with default options, only to give it work. */
  default PoolClient poolClient(String name) {
    return poolClient(name, UnaryOperator.identity());
  }

  /** Joins the pool {@code name} only to give it work: no workers, and no part in its upkeep. */
  PoolClient poolClient(String name, UnaryOperator<PoolOptions> options);

  /**
   * Closes what this handed out and is still open. Can be called again.
   *
   * @throws PoolException if the handler of a node could not stop a job. All is closed
   *     nevertheless: nobody can close the node again, so it ends without handing its jobs over,
   *     and others take them when its lease is over
   */
  @Override
  void close();
}
