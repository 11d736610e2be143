package dev.tidemark.kv.copy;

/**
 * How far a copy has come.
 *
 * @param phase what is being done
 * @param rows rows that this phase has gone through
 * @param bytes their bytes, keys and values
 * @param bytesEstimated about how many there will be; an estimate of the source
 */
public record CopyProgress(Phase phase, long rows, long bytes, long bytesEstimated) {
  /** What is being done. */
  public enum Phase {
    /** Rows go from the source to the target. */
    COPYING,
    /** Both stores are read and compared. */
    COMPARING
  }
}
