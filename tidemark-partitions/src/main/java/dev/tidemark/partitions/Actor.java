package dev.tidemark.partitions;

import dev.tidemark.kv.Key;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of one partition and the code that changes it. The engine calls one method at a time,
 * from changing threads, and each sees the effects of the previous one; so an actor needs no locks.
 * It starts no threads and keeps no resource open.
 *
 * <p>The state is in memory only. It can be lost at any moment, and is made again from a
 * checkpoint, which {@link #export} wrote, and the log entries behind it. So {@link #replay} must
 * do to the state exactly what {@link #receive} did when it returned the entry, whatever the time
 * or the machine.
 *
 * <p>An exception out of any method, other than a refusal, drops the actor: nothing of the request
 * is kept, and a new object is loaded from the store.
 *
 * @param <Q> the requests
 * @param <R> the answers
 */
public interface Actor<Q, R> {
  /**
   * Carries out a request. Its caller gets the answer when the log entry is durable, and so is
   * everything before that the answer can depend on.
   */
  Outcome<R> receive(Q request) throws Exception;

  /** Changes the state as the request did that returned {@code entry}. */
  void replay(byte[] entry) throws Exception;

  /**
   * Writes what the state has of the keys in {@code range}. Called between requests, which wait
   * meanwhile: for a state that takes long to write, implement {@link #snapshot} as well.
   */
  void export(PartitionRange range, OutputStream out) throws IOException;

  /**
   * Adds to the state what {@link #export} wrote. Called once for a new actor, or twice after a
   * merge, each time for keys that the state does not have.
   */
  void load(InputStream in) throws IOException;

  /**
   * A snapshot of the state that takes next to no time, and that later requests do not change: most
   * easily a persistent map. Checkpoints of such an actor are written while it goes on.
   */
  default Optional<ActorSnapshot> snapshot() {
    return Optional.empty();
  }

  /** How many keys the state has, if the actor counts them. */
  default OptionalLong keyCount() {
    return OptionalLong.empty();
  }

  /**
   * Where the partition would best be split, if the actor knows. Outside its range it is ignored.
   */
  default Optional<Key> splitHint() {
    return Optional.empty();
  }

  /** A page of the state, in the order of keys. Changes nothing. */
  default ScanPage<R> scan(ScanRequest<Q> request) throws Exception {
    throw new UnsupportedOperationException("This actor type has no scans");
  }
}
