package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.ReaderStatistics;
import dev.tidemark.changes.internal.watermark.Frontier;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Collects the statistics of a reader. They are in memory, so that meters do not wait for a store;
 * the time of a watermark is asked for when the source does not know it yet.
 */
record StatisticsView(ChangeSource source, Engine engine) {

  ReaderStatistics take() {
    Counters counters = engine.counters();
    Optional<Instant> acked = time(engine.ackWatermark());
    return new ReaderStatistics(
        counters.records.sum(),
        counters.heartbeats.sum(),
        counters.childRecords.sum(),
        counters.duplicates.sum(),
        counters.redeliveries.sum(),
        counters.overdue.sum(),
        counters.queries.sum(),
        counters.retries.sum(),
        counters.silent.sum(),
        counters.fenced.sum(),
        counters.gaps.sum(),
        counters.positionWrites.sum(),
        engine.inFlight(),
        engine.bytesInFlight(),
        engine.sessions().size(),
        states(),
        time(engine.readWatermark()),
        acked,
        acked.map(at -> Duration.between(at, engine.seen().now())));
  }

  private Optional<Instant> time(Optional<Frontier> frontier) {
    return frontier.map(each -> source.timeOf(each.position()));
  }

  private Map<PartitionRow.State, Long> states() {
    Map<PartitionRow.State, Long> states = new EnumMap<>(PartitionRow.State.class);
    for (PartitionRow.State state : PartitionRow.State.values()) {
      states.put(state, 0L);
    }
    engine.seen().partitions().values().forEach(row -> states.merge(row.state(), 1L, Long::sum));
    return states;
  }
}
