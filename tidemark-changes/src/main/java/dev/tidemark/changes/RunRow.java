package dev.tidemark.changes;

import java.time.Instant;
import java.util.Optional;

/**
 * What a {@link MetadataStore} keeps of a run as a whole.
 *
 * @param generation counts the ranges that were read under this name, from 1
 * @param source the {@link ChangeSource#id} of the stream
 * @param start where this generation begins
 * @param startExclusive whether changes at the start itself belong to the generation before
 * @param end the last position of the generation; empty if it has none
 * @param createdAt when the generation began
 */
public record RunRow(
    long generation,
    String source,
    Position start,
    boolean startExclusive,
    Optional<Position> end,
    Instant createdAt) {}
