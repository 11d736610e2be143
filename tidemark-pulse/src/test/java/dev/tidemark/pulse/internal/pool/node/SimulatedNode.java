package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A node of a {@link PoolSimulation}: what it believes, which may no longer be so. */
final class SimulatedNode {
  final String id;
  final List<String> workers = new ArrayList<>();

  /** What runs here, by key. */
  final Map<String, JobClaim> running = new HashMap<>();

  /** What the store has not been told yet: a crash or a pause may come first. */
  final Deque<Report> reports = new ArrayDeque<>();

  /** A node that is paused does nothing, and then goes on as if nothing had happened. */
  boolean paused;

  /** When its lease ends unless it is renewed. */
  long leaseEnd;

  /** How a job went here. */
  enum Kind {
    STARTED,
    START_FAILED,
    FINISHED,
    RUN_FAILED
  }

  record Report(Kind kind, JobClaim claim) {}

  SimulatedNode(String id) {
    this.id = id;
  }
}
