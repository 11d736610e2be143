package dev.tidemark.partitions.internal.manager;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.internal.operations.ClusterRows;
import dev.tidemark.partitions.internal.operations.OperationRequest;
import dev.tidemark.partitions.internal.operations.OperationRunner;
import dev.tidemark.partitions.internal.operations.TermWrites;
import dev.tidemark.partitions.internal.policy.Action;
import dev.tidemark.partitions.internal.policy.ClusterLoad;
import dev.tidemark.partitions.internal.policy.Decision;
import dev.tidemark.partitions.internal.policy.PolicyMemory;
import dev.tidemark.partitions.internal.policy.PolicyRound;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Lets the policy decide once an interval, and carries out what it decides. */
final class PolicyLoop {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  /** How soon a policy that was applied is noticed. */
  private static final Duration LOOK = Duration.ofMillis(500);

  private final TermWrites term;
  private final ClusterRows rows;
  private final PolicyRows policies;
  private final OperationRunner runner;
  private final LoadBoard board;
  private final Policy otherwise;
  private volatile Policy policy;
  private volatile Optional<Decision> last = Optional.empty();
  private long revision = -1;
  private long nextRound;

  PolicyLoop(
      TermWrites term,
      ClusterRows rows,
      OperationRunner runner,
      LoadBoard board,
      Policy otherwise) {
    this.term = term;
    this.rows = rows;
    this.policies = new PolicyRows();
    this.runner = runner;
    this.board = board;
    this.otherwise = otherwise;
    this.policy = otherwise;
    learn();
  }

  /** The policy that counts. */
  Policy policy() {
    return policy;
  }

  /** What the last round came to. */
  Optional<Decision> last() {
    return last;
  }

  Duration pause() {
    return LOOK;
  }

  void learn() {
    PolicyRows.Stored stored = term.read(policies::stored);
    if (stored.revision() != revision) {
      policy = stored.isActive() ? Policy.parse(stored.yaml()) : otherwise;
      revision = stored.revision();
      last = Optional.empty();
      nextRound = term.database().time().nanos() + policy.checkInterval().toNanos();
    }
  }

  /** One look: whether the policy has changed, and whether its interval is over. */
  void look() {
    learn();
    long now = term.database().time().nanos();
    if (policy.isAutomatic() && now - nextRound >= 0) {
      nextRound = now + policy.checkInterval().toNanos();
      round();
    }
  }

  private void round() {
    ClusterLoad load = board.load(term.now());
    PolicyMemory before = term.read(policies::memory);
    Decision decision = PolicyRound.decide(policy, load, before, term.nowMicros());
    last = Optional.of(decision);
    PolicyMemory after = decision.memory();
    if (decision.action().isPresent()) {
      carryOut(decision.action().get());
      after = after.after(decision.action().get(), term.nowMicros());
    }
    if (!after.equals(before)) {
      PolicyMemory changed = after;
      term.run(tx -> policies.storeMemory(tx, changed));
    }
  }

  private void carryOut(Action action) {
    LOG.log(Level.INFO, "The policy {0} acts: {1}", policy.algorithm(), action);
    try {
      switch (action) {
        case Action.Split split ->
            await(
                OperationRequest.split(
                    split.partition(), Optional.empty(), Optional.empty(), DEADLINE));
        case Action.Move move ->
            await(
                OperationRequest.migrate(move.partition(), Optional.empty(), move.to(), DEADLINE));
        case Action.Merge merge -> merge(merge);
      }
    } catch (PartitionException refused) {
      LOG.log(Level.INFO, "The policy''s action was refused: {0}", refused.getMessage());
    }
  }

  private void merge(Action.Merge merge) {
    Map<String, OwnershipRow> owners = term.readStore(rows::owners);
    OwnershipRow lower = owners.get(merge.lower());
    OwnershipRow upper = owners.get(merge.upper());
    if (lower == null || upper == null) {
      return;
    }
    if (!upper.node().equals(lower.node())) {
      await(OperationRequest.migrate(merge.upper(), Optional.empty(), lower.node(), DEADLINE));
    }
    await(OperationRequest.merge(merge.lower(), merge.upper(), Optional.empty(), DEADLINE));
  }

  private void await(OperationRequest request) {
    runner.await(runner.start(request), DEADLINE);
  }
}
