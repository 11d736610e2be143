package dev.tidemark.node.internal.tour;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.embedded.EngineStatistics;
import dev.tidemark.kv.spi.TemporaryDirectory;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.pulse.Pulse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A tour of the store and its layers in which every step proves something: it does its work, checks
 * the outcome and says in one line, with numbers, what that shows. A step whose proof fails makes
 * the demo fail.
 */
public final class Demo {
  private final DemoSize size;
  private final Console console;
  private final Format format;
  private int proved;
  private int failed;

  /** A tour that prints to {@code console}. */
  public Demo(DemoSize size, Console console, Format format) {
    this.size = size;
    this.console = console;
    this.format = format;
  }

  /** Runs all steps in a directory of their own, and removes it. Returns whether all was proved. */
  public boolean run() throws IOException {
    long start = System.nanoTime();
    try (TemporaryDirectory temporary = TemporaryDirectory.create("tidemark-demo-")) {
      proveIn(temporary.path());
    }
    console.event(
        format,
        String.format(
            Locale.ROOT,
            "%ndemo: proved=%d failed=%d seconds=%.1f",
            proved,
            failed,
            seconds(start)),
        "ended",
        "proved",
        proved,
        "failed",
        failed,
        "seconds",
        Json.rounded(seconds(start)));
    return failed == 0;
  }

  private void proveIn(Path directory) {
    console.event(
        format,
        "Tidemark demo: a transactional store inside this JVM, durable on disk, and what lives on it.\n",
        "started",
        "directory",
        directory);
    oneDatabase(directory.resolve("store"));
    step(
        "crash",
        new CrashSteps(directory.resolve("bank"), size, this::remark)::killedProcessLosesNothing);
    step("backup", new BackupSteps(directory, size)::backupIsOneMoment);
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
      remark(
          String.format(
              Locale.ROOT,
              "so far: %,d durable commits shared %,d disk syncs; %,d conflicts were refused",
              statistics.commits(),
              statistics.commitGroups(),
              statistics.conflicts()));
      service(database);
    }
  }

  /** Says something beside the steps. */
  private void remark(String text) {
    console.event(format, "      " + text, "remark", "text", text);
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
    boolean holds = true;
    String line;
    try {
      line = step.prove();
      proved++;
    } catch (Exception | AssertionError failure) {
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      holds = false;
      line = failure.toString();
      failed++;
    }
    console.event(
        format,
        String.format(
            Locale.ROOT,
            "%-4s  %-10s  %s  [%.1f s]",
            holds ? "ok" : "FAIL",
            name,
            line,
            seconds(start)),
        "step",
        "step",
        name,
        "holds",
        holds,
        "text",
        line,
        "seconds",
        Json.rounded(seconds(start)));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
