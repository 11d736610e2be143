package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.Key;

/**
 * Identifies a request through all its repetitions.
 *
 * @param client who sent it: bytes that no other client has
 * @param sequence rises with every new request of the client
 * @param settledBelow every sequence below this one has its answer and is never sent again
 */
public record RequestId(Key client, long sequence, long settledBelow) {
  /** The longest name of a client, in bytes. */
  public static final int MAX_CLIENT = 64;
}
