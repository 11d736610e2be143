package dev.tidemark.chaos.engine;

import dev.tidemark.chaos.ledger.Audit;
import dev.tidemark.chaos.ledger.Ledger;
import dev.tidemark.chaos.run.Campaign;
import dev.tidemark.chaos.run.Progress;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import java.io.PrintStream;
import java.util.SplittableRandom;

/** The run {@code chaos engine}: a process with a database is killed, and its files are damaged. */
public final class EngineChaos implements Campaign.Rounds {
  private static final int COMPLETE_EVERY = 25;
  private static final int SHOWN_ONE_IN = 10;

  private final Settings settings;
  private final PrintStream out;
  private final EngineTally tally = new EngineTally();
  private Ledger ledger = Ledger.empty();
  private boolean complete;

  public EngineChaos(Settings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  /** Runs all rounds; true if nothing was found. */
  public boolean run() {
    Progress progress = new Progress(out, SHOWN_ONE_IN);
    return new Campaign("engine", settings, tally, out, progress).run(this);
  }

  @Override
  public String play(int number, Workspace workspace, SplittableRandom random)
      throws InterruptedException {
    Round kind = Round.number(number);
    String notes;
    if (kind == Round.FULL) {
      FullDiskRound round = new FullDiskRound(workspace, random, tally);
      round.run();
      notes = round.notes();
    } else if (kind == Round.SWEEP) {
      SweepRound round = new SweepRound(workspace, settings, random, tally);
      round.run();
      notes = round.notes();
    } else {
      KillRound round = new KillRound(workspace, settings, random, tally, ledger);
      ledger = round.run(kind);
      notes = round.notes();
    }
    complete = number % COMPLETE_EVERY == 0;
    if (complete) {
      completeAudit(workspace);
    }
    return notes;
  }

  @Override
  public void finish(Workspace workspace) {
    if (!complete) {
      completeAudit(workspace);
    }
  }

  private void completeAudit(Workspace workspace) {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(workspace.path("database"))) {
      tally.findings.addAll(Audit.complete(database, ledger));
    }
  }
}
