package dev.tidemark.pulse.pool;

import java.util.List;
import java.util.Map;

/** Says from time to time which jobs a pool is to run. See {@link PoolNode#schedule}. */
@FunctionalInterface
public interface Planner {
  /**
   * What to start and to stop now.
   *
   * @throws Exception goes to {@link PoolOptions#onError}; there is another plan after the interval
   */
  Plan plan() throws Exception;

  /**
   * What to start and to stop. An entry that the pool refuses, for its key, its payload or because
   * the pool is full, goes to {@link PoolOptions#onError}; all others are carried out.
   *
   * @param start payloads of the jobs to start, by key; those that are there already stay
   * @param stop keys of jobs to stop; not looked at with {@code stopOthers}
   * @param stopOthers whether to stop all jobs that this schedule started, except those of {@code
   *     start}
   * @param last whether the schedule ends on all nodes after this plan
   */
  record Plan(Map<String, byte[]> start, List<String> stop, boolean stopOthers, boolean last) {
    /** A plan that changes nothing. */
    public static final Plan NOTHING = new Plan(Map.of(), List.of(), false, false);

    /** Copies the collections. */
    public Plan {
      start = Map.copyOf(start);
      stop = List.copyOf(stop);
    }

    /** A plan that starts these jobs. */
    public static Plan start(Map<String, byte[]> jobs) {
      return new Plan(jobs, List.of(), false, false);
    }

    /** A plan that stops these jobs. */
    public static Plan stop(List<String> keys) {
      return new Plan(Map.of(), keys, false, false);
    }

    /** A plan that runs these jobs and no others of the schedule. */
    public static Plan only(Map<String, byte[]> jobs) {
      return new Plan(jobs, List.of(), true, false);
    }

    /** This plan as the last one of the schedule. */
    public Plan andEnd() {
      return new Plan(start, stop, stopOthers, true);
    }
  }
}
