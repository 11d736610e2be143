package dev.tidemark.partitions.internal.engine;

import java.time.Duration;

/**
 * The limits of an engine.
 *
 * @param mailbox requests that may wait for one actor
 * @param batches how much is appended together
 * @param checkpoints when a checkpoint is written
 * @param residence what stays in memory, and how long
 * @param turn how long checkpoints, hand-overs and the end of the engine wait for an actor that is
 *     carrying out a request
 * @param answers what is remembered for repeated requests
 */
public record EngineOptions(
    int mailbox,
    BatchLimits batches,
    CheckpointLimits checkpoints,
    Residence residence,
    Duration turn,
    AnswerLimits answers) {

  /**
   * How much is appended together.
   *
   * @param entries log entries in one append
   * @param bytes bytes of log entries in one append, unless a single one has more
   * @param entryBytes the longest log entry, with the answer that is kept beside it
   */
  public record BatchLimits(int entries, int bytes, int entryBytes) {}

  /**
   * When a checkpoint is written.
   *
   * @param entries after so many log entries
   * @param bytes after so many bytes of log entries
   * @param interval after this time, if there are log entries at all
   */
  public record CheckpointLimits(int entries, long bytes, Duration interval) {}

  /**
   * What stays in memory, and how long.
   *
   * @param idle time without requests after which an actor is dropped
   * @param sweep how often idle actors and old logs are looked for
   * @param warm how long a partition loaded ahead is kept
   */
  public record Residence(Duration idle, Duration sweep, Duration warm) {}

  /**
   * How much is remembered for repeated requests.
   *
   * @param clients of how many clients; the one that was silent longest is forgotten first
   * @param perClient answers a client; the oldest are forgotten first
   * @param time how long
   */
  public record AnswerLimits(int clients, int perClient, Duration time) {}

  public static final EngineOptions DEFAULTS =
      new EngineOptions(
          8_192,
          new BatchLimits(4_096, 1_000_000, 1_000_000),
          new CheckpointLimits(10_000, 16_000_000, Duration.ofMinutes(1)),
          new Residence(Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofMinutes(2)),
          Duration.ofSeconds(30),
          new AnswerLimits(1_024, 1_024, Duration.ofMinutes(10)));

  public EngineOptions withMailbox(int requests) {
    return new EngineOptions(requests, batches, checkpoints, residence, turn, answers);
  }

  public EngineOptions withCheckpoints(int entries, long bytes, Duration interval) {
    CheckpointLimits other = new CheckpointLimits(entries, bytes, interval);
    return new EngineOptions(mailbox, batches, other, residence, turn, answers);
  }

  public EngineOptions withIdle(Duration time, Duration sweepEvery) {
    Residence other = new Residence(time, sweepEvery, residence.warm());
    return new EngineOptions(mailbox, batches, checkpoints, other, turn, answers);
  }

  public EngineOptions withAnswers(int clients, int perClient, Duration time) {
    return withAnswers(new AnswerLimits(clients, perClient, time));
  }

  public EngineOptions withAnswers(AnswerLimits limits) {
    return new EngineOptions(mailbox, batches, checkpoints, residence, turn, limits);
  }

  public EngineOptions withTurn(Duration patience) {
    return new EngineOptions(mailbox, batches, checkpoints, residence, patience, answers);
  }
}
