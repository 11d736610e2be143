package dev.tidemark.loader;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Rows to be merged together. No two have the same key.
 *
 * @param job the id of the job; used again only while its outcome is unknown
 * @param source the name of the source
 * @param table where the rows belong
 * @param rows may be empty if there is a position
 * @param position the position behind the batch of a source in order
 * @param timeLimit how long the merge may take
 */
public record Batch(
    UUID job,
    String source,
    Table table,
    List<Row> rows,
    Optional<String> position,
    Duration timeLimit) {}
