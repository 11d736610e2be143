package dev.tidemark.chaos;

import dev.tidemark.embedded.EmbeddedDatabase;
import java.io.PrintStream;
import java.util.SplittableRandom;

/** The run {@code chaos engine}: round after round on one database that must survive them all. */
final class EngineChaos {
  private static final int COMPLETE_EVERY = 25;

  private final Settings settings;
  private final PrintStream out;
  private final Progress progress;
  private final Tally tally = new Tally();
  private Ledger ledger = Ledger.empty();

  EngineChaos(Settings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
    this.progress = new Progress(out);
  }

  /** Runs all rounds; true if nothing was found. */
  boolean run() {
    progress.say("chaos engine: seed " + settings.seed());
    long begin = System.nanoTime();
    int round = 0;
    try (Workspace workspace = Workspace.open()) {
      while (round < settings.rounds()
          && System.nanoTime() - begin < settings.time().toNanos()
          && tally.findings.clean()) {
        round++;
        String notes = attempt(workspace, round);
        progress.round(
            round,
            "round %d: %s; %,d acknowledged so far".formatted(round, notes, tally.acknowledged()));
      }
      if (round % COMPLETE_EVERY != 0 && tally.findings.clean()) {
        completeAudit(workspace);
      }
      if (!tally.findings.clean()) {
        tally.findings.problems().forEach(progress::say);
        progress.say(
            "failed in round %d with seed %d; everything is kept in %s"
                .formatted(round, settings.seed(), workspace.keep()));
      }
    }
    progress.say(tally.summary(round, settings.seed()));
    return tally.findings.clean();
  }

  private String attempt(Workspace workspace, int number) {
    // Each round draws from its own seed, so that a round can be looked at without those before.
    SplittableRandom random = new SplittableRandom(settings.seed() + number);
    try {
      Round kind = Round.number(number);
      String notes;
      if (kind == Round.FULL) {
        FullDiskRound round = new FullDiskRound(workspace, random, tally);
        round.run();
        notes = round.notes();
      } else {
        KillRound round = new KillRound(workspace, settings, random, tally, ledger);
        ledger = round.run(kind);
        notes = round.notes();
      }
      if (number % COMPLETE_EVERY == 0) {
        completeAudit(workspace);
      }
      return notes;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      tally.findings.broken("the run was interrupted");
    } catch (RuntimeException unexpected) {
      tally.findings.broken(String.valueOf(unexpected));
      unexpected.printStackTrace(out);
    }
    return "failed";
  }

  private void completeAudit(Workspace workspace) {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(workspace.path("database"))) {
      tally.findings.addAll(Audit.complete(database, ledger));
    }
  }
}
