package dev.tidemark.loader;

import java.time.Duration;

/**
 * What a run did. Every message pulled is acknowledged, given back or a dead letter: {@code pulled
 * = merged + ignored + dead + nacked}.
 *
 * @param pulled deliveries taken from the source
 * @param merged deliveries whose row is stored, duplicates included, and which are acknowledged
 * @param duplicates deliveries among them that a later publication in the same batch replaced
 * @param ignored deliveries that the mapping has no row for
 * @param dead deliveries that became dead letters
 * @param nacked deliveries given back
 * @param nackedForTime those of them given back since time ran out or the loader was closed
 * @param acksLost acknowledgements that came too late or failed; the messages may be delivered
 *     again
 * @param batches merges that were stored
 * @param bytes what the messages took in memory
 * @param elapsed how long the run took
 * @param ending why it ended
 */
public record LoadResult(
    long pulled,
    long merged,
    long duplicates,
    long ignored,
    long dead,
    long nacked,
    long nackedForTime,
    long acksLost,
    long batches,
    long bytes,
    Duration elapsed,
    Ending ending) {
  /** Whether the run ended as runs should. */
  public boolean successful() {
    return switch (ending) {
      case Ending.SourceEmpty empty -> true;
      case Ending.BudgetUsed used -> true;
      case Ending.Closed closed -> true;
      case Ending.WarehouseFailed failed -> false;
      case Ending.SourceFailed failed -> false;
      case Ending.Crashed crashed -> false;
    };
  }

  /** Why a run ended. */
  public sealed interface Ending {
    /** The source had no more messages. */
    record SourceEmpty() implements Ending {}

    /** The time was nearly used. */
    record BudgetUsed() implements Ending {}

    /** The loader was closed or its thread interrupted. */
    record Closed() implements Ending {}

    /** The warehouse is down, or refuses every batch. */
    record WarehouseFailed(String reason) implements Ending {}

    /** The source cannot be read. */
    record SourceFailed(String reason) implements Ending {}

    /** The loader, the mapping or a connector has a defect. */
    record Crashed(Throwable cause) implements Ending {}
  }
}
