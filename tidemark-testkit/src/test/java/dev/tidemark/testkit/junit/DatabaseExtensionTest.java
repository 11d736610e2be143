package dev.tidemark.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Watch;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

class DatabaseExtensionTest {
  private static final Key KEY = Key.utf8("a");

  /** What the extension says about one test of {@link Subject}; empty if it passes. */
  private static List<Throwable> run(String method) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(Subject.class, method, Database.class))
        .execute()
        .testEvents()
        .finished()
        .stream()
        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
        .flatMap(result -> result.getThrowable().stream())
        .toList();
  }

  private static Throwable failureOf(String method) {
    List<Throwable> failures = run(method);
    assertThat(failures).hasSize(1);
    return failures.getFirst();
  }

  @Test
  void tidyTestPasses() {
    assertThat(run("tidy")).isEmpty();
  }

  @Test
  void openTransactionFailsTheTestAndSaysWhereItWasBegun() {
    Throwable failure = failureOf("leaksATransaction");
    assertThat(failure)
        .hasMessageContaining("a transaction is still open")
        .hasMessageContaining("Subject.leaksATransaction(DatabaseExtensionTest.java");
    assertThat(failure.getSuppressed()).hasSize(1);
  }

  @Test
  void committedTransactionThatIsNotClosedFailsTheTest() {
    assertThat(failureOf("leaksACommittedTransaction"))
        .hasMessageContaining("a transaction is still open");
  }

  @Test
  void openWatchFailsTheTestAndSaysWhereItWasMade() {
    assertThat(failureOf("leaksAWatch"))
        .hasMessageContaining("a watch on a is still open")
        .hasMessageContaining("Subject.lambda$leaksAWatch");
  }

  @Test
  void watchThatFiredIsNoLeak() {
    assertThat(run("waitsForAWatch")).isEmpty();
  }

  @Test
  void runningThreadFailsTheTestAndSaysWhatItDoes() {
    try {
      Throwable failure = failureOf("leaksAThread");
      assertThat(failure).hasMessageContaining("the thread forgotten is still running");
      assertThat(failure.getSuppressed()[0].getStackTrace())
          .anyMatch(element -> element.getClassName().contains("CountDownLatch"));
    } finally {
      Subject.RELEASE.countDown();
    }
  }

  @Test
  void everyLeakIsListed() {
    Throwable failure = failureOf("leaksTwice");
    assertThat(failure).hasMessageContaining("a transaction").hasMessageContaining("a watch");
    assertThat(failure.getSuppressed()).hasSize(2);
  }

  @Test
  void leakIsReportedBesideTheFailureOfTheTestItself() {
    Throwable failure = failureOf("failsAndLeaks");
    assertThat(failure).hasMessage("of the test itself");
    assertThat(failure.getSuppressed()[0]).hasMessageContaining("a transaction is still open");
  }

  @Test
  void databaseIsClosedAfterTheTest() {
    assertThat(run("tidy")).isEmpty();
    assertThat(Subject.lastOpened)
        .isNotNull()
        .satisfies(db -> assertThatThrownBy(db::begin).hasMessageContaining("closed"));
  }

  /** Run by the tests above only: its name keeps the build from picking it up. */
  static class Subject {
    static final CountDownLatch RELEASE = new CountDownLatch(1);
    static @Nullable Database lastOpened;

    @RegisterExtension final DatabaseExtension databases = DatabaseExtension.opening(Subject::open);

    private static Database open() {
      Database opened = ModelDatabase.open();
      lastOpened = opened;
      return opened;
    }

    @Test
    void tidy(Database db) {
      db.run(tx -> tx.set(KEY, new byte[1]));
      try (Transaction tx = db.begin();
          Watch watch = tx.watch(KEY)) {
        tx.commit();
        assertThat(watch.fired()).isFalse();
      }
    }

    @Test
    void leaksATransaction(Database db) {
      Transaction tx = db.begin();
      tx.get(KEY);
    }

    @Test
    void leaksACommittedTransaction(Database db) {
      Transaction tx = db.begin();
      tx.commit();
    }

    @Test
    void leaksAWatch(Database db) {
      Watch watch = db.transact(tx -> tx.watch(KEY));
      assertThat(watch.fired()).isFalse();
    }

    @Test
    void waitsForAWatch(Database db) {
      Watch watch = db.transact(tx -> tx.watch(KEY));
      db.run(tx -> tx.set(KEY, new byte[1]));
      assertThat(watch.await(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void leaksAThread(Database db) {
      db.run(tx -> tx.set(KEY, new byte[1]));
      Thread.ofPlatform()
          .name("forgotten")
          .daemon()
          .start(
              () -> {
                try {
                  RELEASE.await();
                } catch (InterruptedException interrupt) {
                  Thread.currentThread().interrupt();
                }
              });
    }

    @Test
    void leaksTwice(Database db) {
      Transaction tx = db.begin();
      tx.watch(KEY);
    }

    @Test
    void failsAndLeaks(Database db) {
      Transaction tx = db.begin();
      tx.get(KEY);
      throw new IllegalStateException("of the test itself");
    }
  }
}
