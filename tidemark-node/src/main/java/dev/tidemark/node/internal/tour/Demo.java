package dev.tidemark.node.internal.tour;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.embedded.EngineStatistics;
import dev.tidemark.node.internal.files.Directories;
import dev.tidemark.pulse.Pulse;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A tour of the store and its layers in which every step proves something: it does its work, checks
 * the outcome and says in one line, with numbers, what that shows. A step whose proof fails makes
 * the demo fail.
 */
public final class Demo {
  private final DemoSize size;
  private final PrintStream out;
  private int proved;
  private int failed;

  /** A tour that prints to {@code out}. */
  public Demo(DemoSize size, PrintStream out) {
    this.size = size;
    this.out = out;
  }

  /** Runs all steps in a directory of their own, and removes it. Returns whether all was proved. */
  public boolean run() throws IOException {
    long start = System.nanoTime();
    Path directory = Files.createTempDirectory("tidemark-demo-");
    out.println(
        "Tidemark demo: a transactional store inside this JVM, durable on disk, and what lives on it.");
    out.println();
    try {
      oneDatabase(directory.resolve("store"));
      step(
          "crash", new CrashSteps(directory.resolve("bank"), size, out)::killedProcessLosesNothing);
      step("backup", new BackupSteps(directory, size)::backupIsOneMoment);
    } finally {
      Directories.remove(directory);
    }
    out.println();
    out.printf(
        Locale.ROOT, "demo: proved=%d failed=%d seconds=%.1f%n", proved, failed, seconds(start));
    return failed == 0;
  }

  private void oneDatabase(Path directory) {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      TransactionSteps transactions = new TransactionSteps(database, size);
      ConcurrencySteps concurrency = new ConcurrencySteps(database, size);
      step("order", transactions::keysComeBackInOrder);
      step("conflict", transactions::secondOfTwoWritersIsRefused);
      step("retry", transactions::retryFindsTheNewValue);
      step("write skew", transactions::writeSkewIsRefused);
      step("counters", concurrency::countersDoNotConflict);
      step("events", concurrency::stampsFollowTheOrderOfCommits);
      step("watch", concurrency::watchWakesAWaiter);
      EngineStatistics statistics = database.statistics();
      out.printf(
          Locale.ROOT,
          "      so far: %,d durable commits shared %,d disk syncs; %,d conflicts were refused%n",
          statistics.commits(),
          statistics.commitGroups(),
          statistics.conflicts());
      service(database);
    }
  }

  private void service(EmbeddedDatabase database) {
    try (Pulse pulse = Pulse.on(database)) {
      ServiceSteps service = new ServiceSteps(database, pulse, size);
      step("query", service::queriesAnswerWhatAScanFinds);
      step("one commit", service::recordEventAndJobAreOneCommit);
      step("once", service::everyEventTakesEffectOnce);
      step("new index", service::indexIsBuiltBesideWriters);
    }
  }

  /** Does the work of one step and says what it proves. */
  @FunctionalInterface
  interface Step {
    String prove() throws Exception;
  }

  private void step(String name, Step step) {
    long start = System.nanoTime();
    String verdict = "ok";
    String line;
    try {
      line = step.prove();
      proved++;
    } catch (Exception | AssertionError failure) {
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      verdict = "FAIL";
      line = failure.toString();
      failed++;
    }
    out.printf(Locale.ROOT, "%-4s  %-10s  %s  [%.1f s]%n", verdict, name, line, seconds(start));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
