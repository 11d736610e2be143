package dev.tidemark.changes.internal.engine;

import java.util.concurrent.atomic.LongAdder;

/** What a reader has counted since its start. */
public final class Counters {
  final LongAdder records = new LongAdder();
  final LongAdder heartbeats = new LongAdder();
  final LongAdder childRecords = new LongAdder();
  final LongAdder duplicates = new LongAdder();
  final LongAdder redeliveries = new LongAdder();
  final LongAdder overdue = new LongAdder();
  final LongAdder queries = new LongAdder();
  final LongAdder retries = new LongAdder();
  final LongAdder silent = new LongAdder();
  final LongAdder fenced = new LongAdder();
  final LongAdder gaps = new LongAdder();
  final LongAdder positionWrites = new LongAdder();
}
