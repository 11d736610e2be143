package dev.tidemark.records.query;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The explanation of a query: the chosen plan as a tree, and the rejected plans with reasons.
 * {@link #toString} shows it as text.
 *
 * @param plan the root of the plan
 * @param rejected the other plans, the cheapest first, then the indexes without a plan
 */
public record Explain(Node plan, List<Rejected> rejected) {
  /** Copies the list. */
  public Explain {
    rejected = List.copyOf(rejected);
  }

  /**
   * One step of a plan.
   *
   * @param what what it does, such as {@code index scan}
   * @param index the index that it reads, if it reads one
   * @param details the ranges that it reads, the conditions that it checks and the order of its
   *     rows, with the values of this query
   * @param estimate its estimate; empty where nothing is estimated, as for groups that are read
   *     from aggregate indexes
   * @param actual what it really did; empty if the query was not run
   * @param sources the steps that it takes its rows from
   */
  public record Node(
      String what,
      Optional<String> index,
      List<String> details,
      Optional<Estimate> estimate,
      Optional<Actual> actual,
      List<Node> sources) {
    /** Copies the lists. */
    public Node {
      details = List.copyOf(details);
      sources = List.copyOf(sources);
    }
  }

  /**
   * The estimate of a step.
   *
   * @param rows rows that it gives
   * @param keys keys of entries and records that it reads
   * @param cost time that it takes, in about microseconds
   */
  public record Estimate(double rows, double keys, double cost) {}

  /**
   * What a step really did.
   *
   * @param rows rows that it gave
   * @param keys keys of entries and records that it read
   * @param time how long it took, its sources included
   */
  public record Actual(long rows, long keys, Duration time) {}

  /**
   * A plan that was not chosen.
   *
   * @param plan the plan in one line
   * @param cost its estimated cost; empty for an index without a plan
   * @param reason why it was not chosen
   */
  public record Rejected(String plan, OptionalDouble cost, String reason) {}

  @Override
  public String toString() {
    return ExplainText.of(this);
  }
}
