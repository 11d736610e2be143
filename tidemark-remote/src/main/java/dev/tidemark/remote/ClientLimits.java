package dev.tidemark.remote;

import dev.tidemark.kv.UsageException;

/**
 * What one client may have open at a server at a time. A client at a limit of requests or bytes
 * waits: the server takes no more from it until earlier ones have ended.
 *
 * @param requests requests that are being worked on beside plain reads: commits, large reads,
 *     estimates and split points. Default 1,024; at least 1. Fewer make large commit groups
 *     impossible
 * @param readers transactions that have read and are neither committed nor closed. Default 10,000;
 *     at least 1. One more is refused
 * @param watches watches. Default 10,000. One more is refused, at the client already
 * @param bytes bytes of requests being worked on, and as many again of replies that the client has
 *     not taken yet. Default 32 MiB; at least 1 MiB. A single request or reply may be larger
 */
public record ClientLimits(int requests, int readers, int watches, long bytes) {
  private static final long MIB = 1 << 20;

  /** What applies where nothing else is said. */
  public static final ClientLimits DEFAULTS = new ClientLimits(1_024, 10_000, 10_000, 32 * MIB);

  /** Refuses values that make no sense. */
  public ClientLimits {
    if (requests < 1 || readers < 1 || watches < 0 || bytes < MIB) {
      throw UsageException.invalidOption(
          ("requests is %,d, readers %,d, watches %,d and bytes %,d; the least are 1, 1, 0 and"
                  + " %,d")
              .formatted(requests, readers, watches, bytes, MIB));
    }
  }

  /** These limits with another number of requests. */
  public ClientLimits withRequests(int count) {
    return new ClientLimits(count, readers, watches, bytes);
  }

  /** These limits with another number of open readers. */
  public ClientLimits withReaders(int count) {
    return new ClientLimits(requests, count, watches, bytes);
  }

  /** These limits with another number of watches. */
  public ClientLimits withWatches(int count) {
    return new ClientLimits(requests, readers, count, bytes);
  }

  /** These limits with another number of bytes. */
  public ClientLimits withBytes(long count) {
    return new ClientLimits(requests, readers, watches, count);
  }
}
