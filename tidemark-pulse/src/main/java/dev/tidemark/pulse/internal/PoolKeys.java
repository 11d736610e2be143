package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Tuple;

/** The keys of the rows of a pool. docs/formats/pulse-pools.md says what they hold. */
final class PoolKeys {
  static final Tuple CONFIG = Tuple.of("config");
  static final Tuple RING = Tuple.of("ring");
  static final Tuple SHUTDOWN = Tuple.of("shutdown");
  static final Tuple NODES = Tuple.of("node");
  static final Tuple LEAVING = Tuple.of("leaving");
  static final Tuple JOBS = Tuple.of("job");
  static final Tuple PAYLOADS = Tuple.of("payload");
  static final Tuple WAITING = Tuple.of("waiting");
  static final Tuple ASSIGNED = Tuple.of("assigned");
  static final Tuple RUNNING = Tuple.of("running");
  static final Tuple DUE = Tuple.of("due");
  static final Tuple DEAD = Tuple.of("dead");
  static final Tuple MAIL = Tuple.of("mail");
  static final Tuple POST = Tuple.of("post");
  static final Tuple ONCE = Tuple.of("once");
  static final Tuple REPLIES = Tuple.of("reply");
  static final Tuple TOKENS = Tuple.of("token");
  static final Tuple ADDED_TOKENS = Tuple.of("added");
  static final Tuple TICKERS = Tuple.of("ticker");
  static final Tuple SCHEDULES = Tuple.of("schedule");
  static final Tuple PLANNED = Tuple.of("planned");
  static final Tuple CRONS = Tuple.of("cron");

  /** The kind of a due row that belongs to a job. */
  static final String DUE_JOB = "job";

  /** The kind of a due row that belongs to a cron schedule. */
  static final String DUE_CRON = "cron";

  /** The channel that all nodes listen to: the ring, due times and shutdown. */
  static final String POOL_CHANNEL = "pool";

  private PoolKeys() {}

  /** The id of the worker with this number of a node. */
  static String worker(String node, int number) {
    return node + "." + number;
  }

  /** The node that a worker belongs to; its id is in the worker's. */
  static String nodeOf(String worker) {
    return worker.substring(0, worker.lastIndexOf('.'));
  }

  static String nodeChannel(String node) {
    return "node:" + node;
  }

  static String clientChannel(String client) {
    return "client:" + client;
  }

  static Tuple job(String key) {
    return JOBS.append(key);
  }

  static Tuple payload(String key) {
    return PAYLOADS.append(key);
  }

  /** What belongs to one worker in one of the tables that are ordered by node and worker. */
  static Tuple ofWorker(Tuple table, String worker) {
    return table.append(nodeOf(worker)).append(worker);
  }

  /** The row of a job in the table of those that are in its state. */
  static Tuple index(JobState state, String key) {
    return switch (state) {
      case JobState.Waiting waiting -> WAITING.append(key);
      case JobState.Assigned(String worker) -> ofWorker(ASSIGNED, worker).append(key);
      case JobState.Running(String worker) -> ofWorker(RUNNING, worker).append(key);
      case JobState.Scheduled(long due) -> DUE.append(due).append(DUE_JOB).append(key);
      case JobState.Dead dead -> DEAD.append(key);
    };
  }

  /** The last element of a key: that of the job, mostly. */
  static String last(Tuple key) {
    return key.getString(key.size() - 1);
  }
}
