package dev.tidemark.partitions.internal.engine;

import java.time.Duration;

/**
 * The limits of an engine.
 *
 * @param mailbox requests that may wait for one actor
 * @param batchEntries log entries in one append
 * @param batchBytes bytes of log entries in one append, unless a single one has more
 * @param entryBytes the longest log entry, with the answer that is kept beside it
 * @param checkpointEntries log entries after which a checkpoint is written
 * @param checkpointBytes bytes of log entries after which a checkpoint is written
 * @param checkpointInterval time after which a checkpoint is written if there are log entries at
 *     all
 * @param idle time without requests after which an actor is dropped from memory
 * @param sweep how often idle actors and old logs are looked for
 * @param warm how long a partition loaded ahead is kept
 * @param turn how long checkpoints, hand-overs and the end of the engine wait for an actor that is
 *     carrying out a request
 * @param answers what is remembered for repeated requests
 */
public record EngineOptions(
    int mailbox,
    int batchEntries,
    int batchBytes,
    int entryBytes,
    int checkpointEntries,
    long checkpointBytes,
    Duration checkpointInterval,
    Duration idle,
    Duration sweep,
    Duration warm,
    Duration turn,
    AnswerLimits answers) {

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
          4_096,
          1_000_000,
          1_000_000,
          10_000,
          16_000_000,
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofSeconds(10),
          Duration.ofMinutes(2),
          Duration.ofSeconds(30),
          new AnswerLimits(1_024, 1_024, Duration.ofMinutes(10)));

  public EngineOptions withMailbox(int requests) {
    return new EngineOptions(
        requests,
        batchEntries,
        batchBytes,
        entryBytes,
        checkpointEntries,
        checkpointBytes,
        checkpointInterval,
        idle,
        sweep,
        warm,
        turn,
        answers);
  }

  public EngineOptions withCheckpoints(int entries, long bytes, Duration interval) {
    return new EngineOptions(
        mailbox,
        batchEntries,
        batchBytes,
        entryBytes,
        entries,
        bytes,
        interval,
        idle,
        sweep,
        warm,
        turn,
        answers);
  }

  public EngineOptions withIdle(Duration time, Duration sweepEvery) {
    return new EngineOptions(
        mailbox,
        batchEntries,
        batchBytes,
        entryBytes,
        checkpointEntries,
        checkpointBytes,
        checkpointInterval,
        time,
        sweepEvery,
        warm,
        turn,
        answers);
  }

  public EngineOptions withAnswers(int clients, int perClient, Duration time) {
    return withAnswers(new AnswerLimits(clients, perClient, time));
  }

  public EngineOptions withAnswers(AnswerLimits limits) {
    return new EngineOptions(
        mailbox,
        batchEntries,
        batchBytes,
        entryBytes,
        checkpointEntries,
        checkpointBytes,
        checkpointInterval,
        idle,
        sweep,
        warm,
        turn,
        limits);
  }

  public EngineOptions withTurn(Duration patience) {
    return new EngineOptions(
        mailbox,
        batchEntries,
        batchBytes,
        entryBytes,
        checkpointEntries,
        checkpointBytes,
        checkpointInterval,
        idle,
        sweep,
        warm,
        patience,
        answers);
  }
}
