package dev.tidemark.pulse.internal.pool.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.rows.Dispatching;
import dev.tidemark.pulse.internal.pool.rows.JobRow;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.internal.pool.rows.QueueTokens;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What holds between the rows of a pool after every transition. */
final class PoolInvariants {
  private static final int ALL = 100_000;

  private PoolInvariants() {}

  /** Checks that the store has exactly the jobs {@code keys}, each of them whole. */
  static void check(Rows rows, Set<String> keys, int queuedMax) {
    Map<String, JobRow> jobs = new TreeMap<>();
    rows.scan(PoolKeys.JOBS, ALL)
        .forEach(row -> jobs.put(PoolKeys.last(row.key()), JobRow.decode(row.value())));
    assertThat(jobs.keySet()).as("jobs").isEqualTo(keys);
    assertThat(names(rows, PoolKeys.PAYLOADS)).as("payloads").isEqualTo(keys);
    checkTables(rows, jobs);
    checkOwners(rows, jobs);
    checkTokens(rows, jobs, queuedMax);
  }

  private static Set<String> names(Rows rows, Tuple table) {
    return new TreeSet<>(Dispatching.keys(rows.scan(table, ALL)));
  }

  private static void checkTables(Rows rows, Map<String, JobRow> jobs) {
    Set<Tuple> expected = new TreeSet<>();
    Set<Tuple> posts = new TreeSet<>();
    jobs.forEach(
        (key, job) -> {
          expected.add(PoolKeys.index(job.state(), key));
          if (job.mail() > 0) {
            job.owner()
                .ifPresent(
                    worker -> posts.add(PoolKeys.ofWorker(PoolKeys.POST, worker).append(key)));
          }
          assertThat(rows.scan(PoolKeys.MAIL.append(key), ALL)).as("mail").hasSize(job.mail());
        });
    Set<Tuple> found = new TreeSet<>();
    for (Tuple table :
        List.of(
            PoolKeys.WAITING, PoolKeys.ASSIGNED, PoolKeys.RUNNING, PoolKeys.DUE, PoolKeys.DEAD)) {
      rows.scan(table, ALL).forEach(row -> found.add(row.key()));
    }
    assertThat(found).as("rows by state").isEqualTo(expected);
    Set<Tuple> pointers = new TreeSet<>();
    rows.scan(PoolKeys.POST, ALL).forEach(row -> pointers.add(row.key()));
    assertThat(pointers).as("pointers to mail").isEqualTo(posts);
  }

  private static void checkOwners(Rows rows, Map<String, JobRow> jobs) {
    Set<String> known = new TreeSet<>(Dispatching.slots(rows).workers());
    known.addAll(names(rows, PoolKeys.LEAVING));
    jobs.forEach(
        (key, job) -> job.owner().ifPresent(worker -> assertThat(known).as(key).contains(worker)));
  }

  private static void checkTokens(Rows rows, Map<String, JobRow> jobs, int queuedMax) {
    long counted = jobs.values().stream().filter(job -> job.token() != JobRow.NO_TOKEN).count();
    assertThat((long) QueueTokens.queued(rows)).as("queued").isEqualTo(counted);
    assertThat(counted).isLessThanOrEqualTo(queuedMax);
  }
}
