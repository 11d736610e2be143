package dev.tidemark.pulse;

import dev.tidemark.kv.Transaction;

/** Gives work to a pool. */
public interface PoolClient extends AutoCloseable {
  /** The name of the pool. */
  String name();

  /** Gives the pool the job {@code key} and waits until a worker has started it. */
  void dispatch(String key, byte[] payload);

  /** Gives the pool the job {@code key} when {@code tx} commits. Does not wait for its start. */
  void dispatch(Transaction tx, String key, byte[] payload);

  /** Leaves the pool. Can be called again. */
  @Override
  void close();
}
