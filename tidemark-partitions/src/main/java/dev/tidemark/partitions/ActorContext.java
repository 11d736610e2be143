package dev.tidemark.partitions;

import dev.tidemark.kv.TimeSource;

/**
 * What an actor knows of its place. It holds for the life of the actor object: whoever splits,
 * merges or moves the partition gets a new one.
 *
 * @param type the actor type
 * @param partition the id of the partition
 * @param range the keys that the actor answers for
 * @param time where the actor takes the time from, if it needs it
 */
public record ActorContext(String type, String partition, PartitionRange range, TimeSource time) {}
