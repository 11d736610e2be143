package dev.tidemark.kv;

/** How many rows a scan fetches from the store at a time. Results do not depend on it. */
public enum ScanMode {
  /** Little at first, more as the scan goes on. The default. */
  ITERATOR,
  /** Everything up to the limit at once; the scan must have a limit. */
  EXACT,
  /** Small portions, for readers that stop early. */
  SMALL,
  /** Portions between {@link #SMALL} and {@link #LARGE}. */
  MEDIUM,
  /** Large portions. */
  LARGE,
  /** Portions for the highest throughput of one reader. */
  SERIAL,
  /** Everything, as soon as possible. */
  WANT_ALL
}
