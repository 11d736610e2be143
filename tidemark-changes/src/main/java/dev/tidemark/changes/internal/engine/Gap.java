package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.Position;

/**
 * Changes that the source removed before they were read.
 *
 * @param token the partition
 * @param from where reading should have gone on
 * @param earliest the first position that is left
 */
public record Gap(String token, Position from, Position earliest) {}
