package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.PositionKeeper;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.internal.delivery.Budget;
import dev.tidemark.changes.internal.delivery.Outlet;
import dev.tidemark.changes.internal.partition.Run;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;

/**
 * What all sessions of a reader share.
 *
 * @param source the stream
 * @param run the rows
 * @param options how to work
 * @param outlet where changes go
 * @param budget bytes in flight
 * @param rate the limit on records
 * @param keeper asked where a partition stands
 * @param counters counts
 * @param chance numbers from 0 to 1
 * @param failures learns what ends the reader
 * @param isSlowest whether a session holds the read watermark back
 * @param gaps learns of changes that were lost to the reader
 */
record Environment(
    ChangeSource source,
    Run run,
    ReaderOptions options,
    Outlet outlet,
    Budget budget,
    RateLimit rate,
    PositionKeeper keeper,
    Counters counters,
    DoubleSupplier chance,
    Consumer<Throwable> failures,
    Predicate<PartitionSession> isSlowest,
    Consumer<Gap> gaps) {}
