package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds what the store has for the workers of a node: jobs to start, and mail. */
final class Inbox {
  private static final int PAGE = 256;

  /** Payloads are read for so many jobs at a time. */
  private static final int LOADED_AT_ONCE = 64;

  /** A worker with so many jobs to start gets no more for now. */
  private static final int QUEUED_MAX = 512;

  private final NodeLife life;
  private final RowStore store;

  Inbox(NodeLife life) {
    this.life = life;
    this.store = life.core().rows();
  }

  /** Gives the workers what is there for them. */
  void look(Map<String, LocalWorker> workers) {
    life.wantsMore(false);
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
    List<Rows.Row> fresh = new ArrayList<>();
    for (Rows.Row row : page) {
      LocalWorker worker = workers.get(row.key().getString(2));
      if (worker != null && !worker.isQueued(PoolKeys.last(row.key()))) {
        fresh.add(row);
      }
    }
    for (int i = 0; i < fresh.size(); i += LOADED_AT_ONCE) {
      load(fresh.subList(i, Math.min(fresh.size(), i + LOADED_AT_ONCE)), workers);
    }
  }

  private void load(List<Rows.Row> fresh, Map<String, LocalWorker> workers) {
    List<Tuple> wanted = new ArrayList<>();
    for (String key : Dispatching.keys(fresh)) {
      wanted.add(PoolKeys.job(key));
      wanted.add(PoolKeys.payload(key));
    }
    Map<Tuple, byte[]> found = store.read(rows -> rows.getAll(wanted));
    for (Rows.Row row : fresh) {
      String key = PoolKeys.last(row.key());
      byte[] job = found.get(PoolKeys.job(key));
      byte[] payload = found.get(PoolKeys.payload(key));
      LocalWorker worker = workers.get(row.key().getString(2));
      if (job != null && payload != null && worker != null) {
        offer(worker, key, JobRow.decode(job), payload);
      }
    }
  }

  private static void offer(LocalWorker worker, String key, JobRow job, byte[] payload) {
    if (job.state().equals(new JobState.Assigned(worker.id()))) {
      worker.offer(new Assignment(new JobClaim(worker.id(), key, job.epoch()), job, payload));
    }
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
