package dev.tidemark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.testkit.cluster.ClusterLikeDatabase;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import dev.tidemark.testkit.junit.SeedSource;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/** The examples of docs/testing.md. */
class TestingGuideTest {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(ModelDatabase::open);

  private static final Key VISITS = Key.utf8("visits");

  static void countVisit(TransactionContext context) {
    context.run(tx -> tx.mutate(MutationType.ADD, VISITS, new byte[] {1, 0, 0, 0}));
  }

  @Test
  void visitIsCounted(Database db) {
    countVisit(db);
    assertThat(db.read(tx -> tx.get(VISITS)).orElseThrow()).containsExactly(1, 0, 0, 0);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource
  void visitIsCountedOnceThoughCommitsGoWrong(long seed) {
    FaultPlan faults = FaultPlan.random(seed, 0.5, Fault.CONFLICT, Fault.UNKNOWN_COMMITTED);
    try (Database db = FaultyDatabase.over(ModelDatabase.open(), faults)) {
      for (int i = 0; i < 20; i++) {
        countVisit(db);
      }
      assertThat(db.read(tx -> tx.get(VISITS)).orElseThrow()).containsExactly(20, 0, 0, 0);
    }
  }

  @Test
  void visitIsCountedOnceThoughTheClusterRecovers() {
    try (Database db =
        ClusterLikeDatabase.over(clock -> ModelDatabase.open(Limits.DEFAULTS, clock))
            .recoveringEvery(3)) {
      for (int i = 0; i < 20; i++) {
        countVisit(db);
      }
      assertThat(db.read(tx -> tx.get(VISITS)).orElseThrow()).containsExactly(20, 0, 0, 0);
    }
  }

  @Test
  void readerThatDawdlesStartsAgain() {
    ManualTime time = ManualTime.selfAdvancing();
    try (Database db = ModelDatabase.open(Limits.DEFAULTS, time)) {
      AtomicInteger attempts = new AtomicInteger();
      db.read(
          tx -> {
            tx.get(VISITS);
            if (attempts.incrementAndGet() == 1) {
              time.advance(Duration.ofSeconds(6));
            }
            return tx.get(VISITS);
          });
      assertThat(attempts).hasValue(2);
    }
  }

  /** Every block of Java in the guide is part of this class or of a conformance test. */
  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/testing.md")
        .showsCodeOf(
            5,
            "tidemark-testkit/src/test/java/dev/tidemark/testkit/TestingGuideTest.java",
            "tidemark-embedded/src/test/java/dev/tidemark/embedded/InMemoryConformanceTest.java");
  }
}
