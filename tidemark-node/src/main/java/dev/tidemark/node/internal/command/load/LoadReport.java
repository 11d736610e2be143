package dev.tidemark.node.internal.command.load;

import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.LoadResult.Ending;
import dev.tidemark.node.internal.console.Listing;

/** What a load did, for people and scripts. */
final class LoadReport {
  private LoadReport() {}

  static Listing of(LoadResult result) {
    return new Listing(
            "pulled",
            "merged",
            "duplicates",
            "ignored",
            "dead",
            "nacked",
            "batches",
            "bytes",
            "elapsed_ms",
            "ending")
        .add(
            result.pulled(),
            result.merged(),
            result.duplicates(),
            result.ignored(),
            result.dead(),
            result.nacked(),
            result.batches(),
            result.bytes(),
            result.elapsed().toMillis(),
            why(result.ending()));
  }

  private static String why(Ending ending) {
    return switch (ending) {
      case Ending.SourceEmpty empty -> "the stream is empty";
      case Ending.BudgetUsed used -> "the time is nearly used";
      case Ending.Closed closed -> "stopped";
      case Ending.WarehouseFailed(String reason) -> "the warehouse failed: " + reason;
      case Ending.SourceFailed(String reason) -> "the stream failed: " + reason;
      case Ending.Crashed(Throwable cause) -> "the loader crashed: " + cause;
    };
  }
}
