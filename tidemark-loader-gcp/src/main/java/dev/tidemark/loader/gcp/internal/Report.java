package dev.tidemark.loader.gcp.internal;

import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.LoadResult.Ending;
import dev.tidemark.loader.internal.json.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;

/** The result of a run as one line of JSON. */
public final class Report {
  private Report() {}

  /** The report of a run that took place. */
  public static String of(LoadResult result) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("status", result.successful() ? "done" : "failed");
    members.put("ending", ending(result.ending()));
    members.put("pulled", result.pulled());
    members.put("merged", result.merged());
    members.put("duplicates", result.duplicates());
    members.put("ignored", result.ignored());
    members.put("dead", result.dead());
    members.put("nacked", result.nacked());
    members.put("nacked_for_time", result.nackedForTime());
    members.put("acks_lost", result.acksLost());
    members.put("batches", result.batches());
    members.put("bytes", result.bytes());
    members.put("elapsed_ms", result.elapsed().toMillis());
    return JsonText.object(members);
  }

  /** The report of a run that did not take place. */
  public static String of(String status, String reason) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("status", status);
    members.put("ending", reason);
    return JsonText.object(members);
  }

  private static String ending(Ending ending) {
    return switch (ending) {
      case Ending.SourceEmpty empty -> "the subscription is empty";
      case Ending.BudgetUsed used -> "the time is nearly used";
      case Ending.Closed closed -> "the loader was stopped";
      case Ending.WarehouseFailed(String reason) -> "the warehouse failed: " + reason;
      case Ending.SourceFailed(String reason) -> "the subscription failed: " + reason;
      case Ending.Crashed(Throwable cause) -> "the loader crashed: " + cause;
    };
  }
}
