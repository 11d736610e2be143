package dev.tidemark.node.internal.meters.output;

import java.net.URI;
import java.nio.file.Path;

/** Where a run tells how it goes: a text for people, or events for a script. */
public sealed interface DemoOutput permits TextOutput, JsonOutput {
  /** The store is open. */
  void opened(Store store);

  /**
   * Everything works.
   *
   * @param worker the id of the process of a worker
   * @param warehouse the file that is filled
   */
  void started(long worker, Path warehouse);

  /** Something happened {@code seconds} after the begin. */
  void happened(double seconds, String what);

  /** How far the layers are. */
  void progressed(Moment moment);

  /** How far the audit is. */
  void audited(String step);

  /** What the run has left, and what the audit found. */
  void ended(Town town, AuditReport audit, boolean kept, Path directory);

  /** The run was told to end, and is not ready to. */
  void stuck(Path directory);

  /**
   * The store of a run that begins.
   *
   * @param meters how many meters there are
   * @param seconds how long they publish
   * @param directory where the data are
   * @param address of the store
   * @param console where a browser finds the run
   * @param earlier readings that runs before this one have published
   * @param threshold of alerts, in watts
   * @param change the command that sets another threshold
   */
  record Store(
      int meters,
      long seconds,
      Path directory,
      URI address,
      URI console,
      long earlier,
      long threshold,
      String change) {}

  /**
   * A run under way.
   *
   * @param seconds since its begin
   * @param total how long it is to publish, in seconds
   * @param rate readings a second that this run has published
   * @param draining whether nothing more is published
   * @param progress what each layer has
   */
  record Moment(double seconds, long total, double rate, boolean draining, Progress progress) {}
}
