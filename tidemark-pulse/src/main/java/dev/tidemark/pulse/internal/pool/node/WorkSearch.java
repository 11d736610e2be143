package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.rows.Assignment;
import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import dev.tidemark.pulse.internal.pool.rows.JobRow;
import dev.tidemark.pulse.internal.pool.rows.JobState;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.internal.pool.worker.LocalWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds what the store has for the workers of a node: jobs to start, and mail. */
final class WorkSearch {
  private static final int PAGE = 256;

  /** Payloads are read for so many jobs at a time. */
  private static final int LOADED_AT_ONCE = 64;

  /** A worker with so many jobs to start gets no more for now. */
  static final int QUEUED_MAX = 512;

  private final NodeLife life;
  private final AssignedHints hints;
  private final RowStore store;
  private boolean searching;

  WorkSearch(NodeLife life, AssignedHints hints) {
    this.life = life;
    this.hints = hints;
    this.store = life.core().rows();
  }

  /** Gives the workers what is there for them. */
  void look(Map<String, LocalWorker> workers) {
    life.wantsMore(false);
    searching = true;
    Tuple mine = PoolKeys.ASSIGNED.append(life.id());
    List<Rows.Row> page = store.read(rows -> rows.peek(mine, mine, PAGE));
    if (page.size() < PAGE) {
      offer(page, workers);
    } else {
      workers.values().forEach(worker -> fill(worker, workers));
    }
    lookForMail(workers);
  }

  /** Gives the workers those of the jobs in {@code assigned} that are still theirs. */
  void lookAt(List<Tuple> assigned, Map<String, LocalWorker> workers) {
    List<Rows.Row> page = new ArrayList<>();
    for (Tuple row : assigned) {
      LocalWorker worker = workers.get(row.getString(2));
      if (worker != null && worker.queued() >= QUEUED_MAX) {
        life.wantsMore(true);
      } else {
        page.add(new Rows.Row(row, RowStore.NO_HINT));
      }
    }
    offer(page, workers);
  }

  /** Reads the whole list of one worker, so that a slow one does not keep others from theirs. */
  private void fill(LocalWorker worker, Map<String, LocalWorker> workers) {
    Tuple table = PoolKeys.ofWorker(PoolKeys.ASSIGNED, worker.id());
    Tuple after = table;
    List<Rows.Row> page;
    do {
      if (worker.queued() >= QUEUED_MAX) {
        life.wantsMore(true);
        return;
      }
      Tuple from = after;
      page = store.read(rows -> rows.peek(table, from, PAGE));
      offer(page, workers);
      after = page.isEmpty() ? after : page.getLast().key();
    } while (page.size() == PAGE);
  }

  private void offer(List<Rows.Row> page, Map<String, LocalWorker> workers) {
    List<Candidate> fresh = new ArrayList<>();
    for (Rows.Row row : page) {
      LocalWorker worker = workers.get(row.key().getString(2));
      String key = PoolKeys.last(row.key());
      if (worker != null && !worker.isQueued(key)) {
        fresh.add(new Candidate(worker, key, worker.epochOf(key)));
      }
    }
    for (int i = 0; i < fresh.size(); i += LOADED_AT_ONCE) {
      load(fresh.subList(i, Math.min(fresh.size(), i + LOADED_AT_ONCE)));
    }
  }

  /**
   * A job that may be to be started.
   *
   * @param worker the worker that it was assigned to
   * @param key its key
   * @param had the epoch in which the worker had it before it was read. By the time that what was
   *     read is here, the worker may be through with it
   */
  private record Candidate(LocalWorker worker, String key, long had) {
    boolean isMeantBy(JobRow job) {
      return job.epoch() > had && job.state().equals(new JobState.Assigned(worker.id()));
    }
  }

  private void load(List<Candidate> fresh) {
    List<Tuple> wanted = new ArrayList<>();
    for (Candidate each : fresh) {
      wanted.add(PoolKeys.job(each.key()));
      wanted.add(PoolKeys.payload(each.key()));
    }
    Map<Tuple, byte[]> found = store.read(rows -> rows.getAll(wanted));
    for (Candidate each : fresh) {
      byte[] job = found.get(PoolKeys.job(each.key()));
      byte[] payload = found.get(PoolKeys.payload(each.key()));
      if (job != null && payload != null) {
        offer(each, JobRow.decode(job), payload);
      }
    }
  }

  private void offer(Candidate candidate, JobRow job, byte[] payload) {
    if (!candidate.isMeantBy(job)) {
      return;
    }
    JobClaim claim = new JobClaim(candidate.worker().id(), candidate.key(), job.epoch());
    if (searching) {
      hints.found(claim);
    }
    candidate.worker().offer(new Assignment(claim, job, payload));
  }

  private void lookForMail(Map<String, LocalWorker> workers) {
    Tuple mine = PoolKeys.POST.append(life.id());
    Tuple after = mine;
    List<Rows.Row> page;
    do {
      Tuple from = after;
      page = store.read(rows -> rows.peek(mine, from, PAGE));
      for (Rows.Row row : page) {
        LocalWorker worker = workers.get(row.key().getString(2));
        if (worker != null) {
          worker.lookAtMail(PoolKeys.last(row.key()));
        }
      }
      after = page.isEmpty() ? after : page.getLast().key();
    } while (page.size() == PAGE);
  }
}
