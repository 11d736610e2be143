package dev.tidemark.foundationdb;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.conformance.DatabaseConformance;
import dev.tidemark.testkit.decorate.Owning;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The chain of {@link FoundationDbChainConformanceTest} as programs use it: with ids in its
 * commits. Suites that look at the whole store, where the ids are, stay out.
 */
@ExtendWith(FoundationDbIdsConformanceTest.Suites.class)
class FoundationDbIdsConformanceTest extends DatabaseConformance {
  /** Leaves out suites by their names. */
  static final class Suites implements ExecutionCondition {
    private static final Set<String> WITH_IDS =
        Set.of(
            "Mutations",
            "Conflicts",
            "QuietWrites",
            "Watches",
            "Retries",
            "Lifecycles",
            "Programs",
            FoundationDbIdsConformanceTest.class.getSimpleName());

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return WITH_IDS.contains(context.getRequiredTestClass().getSimpleName())
          ? enabled("Does not see the ids")
          : disabled("Looks at the whole store, where the ids are");
    }
  }

  @Override
  protected Database open(Limits limits, TimeSource time) {
    EmbeddedDatabase below = EmbeddedDatabase.inMemory(o -> o.withLimits(limits).withTime(time));
    return Owning.over(
        FoundationDb.over(
            FdbFacade.of(below),
            FoundationDbOptions.DEFAULTS.withTime(time).withoutSamples(),
            limits),
        below);
  }
}
