package dev.tidemark.loader.gcp.internal.bigquery;

import com.google.cloud.bigquery.BigQuery;
import com.google.cloud.bigquery.BigQueryError;
import com.google.cloud.bigquery.BigQueryException;
import com.google.cloud.bigquery.Job;
import com.google.cloud.bigquery.JobId;
import com.google.cloud.bigquery.JobInfo;
import com.google.cloud.bigquery.JobStatistics.QueryStatistics;
import com.google.cloud.bigquery.JobStatus;
import com.google.cloud.bigquery.QueryJobConfiguration;
import dev.tidemark.kv.Backoff;
import dev.tidemark.kv.TimeSource;
import java.time.Duration;

/**
 * Jobs by ids that we choose. A job that BigQuery knows under an id is never started again under
 * it, so that a request whose answer was lost can be repeated.
 */
public final class Jobs {
  private static final int ALREADY_EXISTS = 409;
  private static final Backoff POLLS =
      Backoff.of(Duration.ofMillis(100), Duration.ofSeconds(2)).withAtLeastHalf();

  private final BigQuery bigQuery;
  private final TimeSource time;

  /** Jobs of a client that does not retry by itself. */
  public Jobs(BigQuery bigQuery, TimeSource time) {
    this.bigQuery = bigQuery;
    this.time = time;
  }

  /** Starts a job, unless it is there already, and waits for its end. */
  public JobEnd run(JobId id, QueryJobConfiguration query, Duration limit) {
    long deadline = time.nanos() + limit.toNanos();
    try {
      Job unused = bigQuery.create(JobInfo.of(id, query));
    } catch (BigQueryException problem) {
      Failure failure = Failure.of(problem);
      if (failure.code() != ALREADY_EXISTS) {
        return failure.isRefusal()
            ? new JobEnd.Failed(failure)
            : new JobEnd.Unknown(failure.text());
      }
    }
    return await(id, deadline, limit);
  }

  private JobEnd await(JobId id, long deadline, Duration limit) {
    JobEnd end = look(id);
    for (int polls = 1; end instanceof JobEnd.Unknown; polls++) {
      Duration pause = POLLS.after(polls, time);
      if (time.nanos() + pause.toNanos() - deadline >= 0) {
        return new JobEnd.Unknown(
            "Job %s has no end after %s: %s"
                .formatted(id.getJob(), limit, ((JobEnd.Unknown) end).reason()));
      }
      try {
        time.sleep(pause);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        return new JobEnd.Unknown("The wait for job " + id.getJob() + " was interrupted");
      }
      end = look(id);
    }
    return end;
  }

  /** Asks once what became of a job. One that is not there may still be on its way. */
  public JobEnd look(JobId id) {
    try {
      Job job = bigQuery.getJob(id);
      if (job == null) {
        return new JobEnd.Unknown("BigQuery does not know job " + id.getJob());
      }
      JobStatus status = job.getStatus();
      if (status == null || !JobStatus.State.DONE.equals(status.getState())) {
        return new JobEnd.Unknown("Job " + id.getJob() + " is not done");
      }
      BigQueryError error = status.getError();
      return error == null
          ? new JobEnd.Succeeded(changed(job))
          : new JobEnd.Failed(Failure.of(error));
    } catch (BigQueryException problem) {
      return new JobEnd.Unknown(Failure.of(problem).text());
    }
  }

  private static long changed(Job job) {
    if (job.getStatistics() instanceof QueryStatistics statistics) {
      Long changed = statistics.getNumDmlAffectedRows();
      return changed == null ? -1 : changed;
    }
    return -1;
  }
}
