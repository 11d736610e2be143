package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.kv.tuple.Tuple;

/** The keys of the rows of a pool. docs/formats/pulse-pools.md says what they hold. */
public final class PoolKeys {
  static final Tuple CONFIG = Tuple.of("config");
  static final Tuple RING = Tuple.of("ring");
  static final Tuple SHUTDOWN = Tuple.of("shutdown");
  static final Tuple NODES = Tuple.of("node");
  public static final Tuple LEAVING = Tuple.of("leaving");
  public static final Tuple JOBS = Tuple.of("job");
  public static final Tuple PAYLOADS = Tuple.of("payload");
  public static final Tuple WAITING = Tuple.of("waiting");
  public static final Tuple ASSIGNED = Tuple.of("assigned");
  public static final Tuple RUNNING = Tuple.of("running");
  public static final Tuple DUE = Tuple.of("due");
  public static final Tuple DEAD = Tuple.of("dead");
  public static final Tuple MAIL = Tuple.of("mail");
  public static final Tuple POST = Tuple.of("post");
  public static final Tuple ONCE = Tuple.of("once");
  public static final Tuple REPLIES = Tuple.of("reply");
  static final Tuple TOKENS = Tuple.of("token");
  static final Tuple ADDED_TOKENS = Tuple.of("added");
  public static final Tuple TICKERS = Tuple.of("ticker");
  public static final Tuple SCHEDULES = Tuple.of("schedule");
  public static final Tuple PLANNED = Tuple.of("planned");
  public static final Tuple CRONS = Tuple.of("cron");

  /** The kind of a due row that belongs to a job. */
  public static final String DUE_JOB = "job";

  /** The kind of a due row that belongs to a cron schedule. */
  static final String DUE_CRON = "cron";

  /** The channel that all nodes listen to: the slots, due times and shutdown. */
  public static final String POOL_CHANNEL = "pool";

  private PoolKeys() {}

  /** The id of the worker with this number of a node. */
  public static String worker(String node, int number) {
    return node + "." + number;
  }

  /** The node that a worker belongs to; its id is in the worker's. */
  public static String nodeOf(String worker) {
    return worker.substring(0, worker.lastIndexOf('.'));
  }

  public static String nodeChannel(String node) {
    return "node:" + node;
  }

  public static String clientChannel(String client) {
    return "client:" + client;
  }

  public static Tuple job(String key) {
    return JOBS.append(key);
  }

  public static Tuple payload(String key) {
    return PAYLOADS.append(key);
  }

  /** What belongs to one worker in one of the tables that are ordered by node and worker. */
  public static Tuple ofWorker(Tuple table, String worker) {
    return table.append(nodeOf(worker)).append(worker);
  }

  /** The row of a job in the table of those that are in its state. */
  public static Tuple index(JobState state, String key) {
    return switch (state) {
      case JobState.Waiting waiting -> WAITING.append(key);
      case JobState.Assigned(String worker) -> ofWorker(ASSIGNED, worker).append(key);
      case JobState.Running(String worker) -> ofWorker(RUNNING, worker).append(key);
      case JobState.Scheduled(long due) -> DUE.append(due).append(DUE_JOB).append(key);
      case JobState.Dead dead -> DEAD.append(key);
    };
  }

  /** The last element of a key: that of the job, mostly. */
  public static String last(Tuple key) {
    return key.getString(key.size() - 1);
  }
}
