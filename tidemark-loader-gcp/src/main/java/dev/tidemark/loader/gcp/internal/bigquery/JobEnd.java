package dev.tidemark.loader.gcp.internal.bigquery;

/** What is known about a job. */
public sealed interface JobEnd {
  /**
   * It is done for good.
   *
   * @param changed how many rows it changed, or -1 if BigQuery does not say
   */
  record Succeeded(long changed) implements JobEnd {}

  /** It has had no effect and never will. */
  record Failed(Failure failure) implements JobEnd {}

  /** It may have been accepted, run still, or be done. */
  record Unknown(String reason) implements JobEnd {}
}
