package dev.tidemark.grpc;

import java.time.Duration;

/** How a layer ends its open streams when its listener closes. */
@FunctionalInterface
public interface Drain {
  /** For services without streams: calls that have begun come to their own end. */
  Drain NOTHING = patience -> {};

  /**
   * Ends every stream that is open, with a status that tells its client to go elsewhere. The
   * listener takes no new connections any more; it waits for the calls, ends what is left and
   * closes the network after this returns.
   *
   * @param patience how long streams may take to come to an orderly end; longer ones are cut off
   */
  void endStreams(Duration patience) throws InterruptedException;
}
