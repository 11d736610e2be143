package dev.tidemark.remote;

import dev.tidemark.kv.UsageException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one client may have open at a server at a time. A client at a limit of requests or bytes
 * waits: the server takes no more from it until earlier ones have ended.
 */
public final class ClientLimits {
  private static final long MIB = 1 << 20;

  /** What applies where nothing else is said. */
  public static final ClientLimits DEFAULTS = new ClientLimits(1_024, 10_000, 10_000, 32 * MIB);

  private final int requests;
  private final int readers;
  private final int watches;
  private final long bytes;

  private ClientLimits(int requests, int readers, int watches, long bytes) {
    if (requests < 1 || readers < 1 || watches < 0 || bytes < MIB) {
      throw UsageException.invalidOption(
          ("requests is %,d, readers %,d, watches %,d and bytes %,d; the least are 1, 1, 0 and"
                  + " %,d")
              .formatted(requests, readers, watches, bytes, MIB));
    }
    this.requests = requests;
    this.readers = readers;
    this.watches = watches;
    this.bytes = bytes;
  }

  /**
   * Requests that are being worked on beside plain reads: commits, large reads, estimates and split
   * points. Default 1,024; at least 1. Fewer make large commit groups impossible.
   */
  public int requests() {
    return requests;
  }

  /**
   * Transactions that have read and are neither committed nor closed. Default 10,000; at least 1.
   * One more is refused.
   */
  public int readers() {
    return readers;
  }

  /** Watches. Default 10,000. One more is refused, at the client already. */
  public int watches() {
    return watches;
  }

  /**
   * Bytes of requests being worked on, and as many again of replies that the client has not taken
   * yet. Default 32 MiB; at least 1 MiB. A single request or reply may be larger.
   */
  public long bytes() {
    return bytes;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClientLimits that
        && requests == that.requests
        && readers == that.readers
        && watches == that.watches
        && bytes == that.bytes;
  }

  @Override
  public int hashCode() {
    return Objects.hash(requests, readers, watches, bytes);
  }

  @Override
  public String toString() {
    return "ClientLimits["
        + "requests="
        + requests
        + ", readers="
        + readers
        + ", watches="
        + watches
        + ", bytes="
        + bytes
        + "]";
  }
}
