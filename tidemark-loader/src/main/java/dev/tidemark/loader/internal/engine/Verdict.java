package dev.tidemark.loader.internal.engine;

/** What became of a batch, after all attempts. */
sealed interface Verdict {
  /** All of it is stored or dead letters. */
  record Done() implements Verdict {}

  /** The warehouse did not take all of it; {@code lasting} if it will not without help. */
  record Failed(String reason, boolean lasting) implements Verdict {}

  /** There was no time left for another attempt. */
  record OutOfTime() implements Verdict {}
}
