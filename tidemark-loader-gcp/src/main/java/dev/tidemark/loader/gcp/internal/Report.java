package dev.tidemark.loader.gcp.internal;

import dev.tidemark.loader.JobInfo;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.LoadResult.Ending;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.internal.json.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result of a run as one line of JSON. */
public final class Report {
  private Report() {}

  /** The report of a run that took place, and of its last jobs. */
  public static String of(LoadResult result, List<JobInfo> jobs) {
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
    members.put("jobs", jobs.stream().map(Report::job).toList());
    return JsonText.object(members);
  }

  private static Map<String, Object> job(JobInfo job) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("id", job.id());
    members.put("rows", job.rows());
    members.put("bytes", job.bytes());
    members.put("ms", job.took().toMillis());
    members.put("outcome", outcome(job.outcome()));
    return members;
  }

  private static String outcome(MergeOutcome outcome) {
    return switch (outcome) {
      case MergeOutcome.Merged merged -> "merged";
      case MergeOutcome.Refused refused -> "refused";
      case MergeOutcome.Unavailable unavailable -> "unavailable";
      case MergeOutcome.Impossible impossible -> "impossible";
      case MergeOutcome.Unknown unknown -> "unknown";
      case MergeOutcome.Absent absent -> "absent";
    };
  }

  /** The report of a run that did not take place. */
  public static String of(String status, String reason) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("status", status);
    members.put("ending", reason);
    return JsonText.object(members);
  }

  /** Statements, for a script. */
  public static String ofDdl(String statements) {
    return JsonText.object(Map.of("ddl", statements));
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
