package dev.tidemark.chaos.remote;

import dev.tidemark.chaos.ledger.Audit;
import dev.tidemark.chaos.ledger.Ledger;
import dev.tidemark.chaos.run.Campaign;
import dev.tidemark.chaos.run.Progress;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import java.io.PrintStream;
import java.util.SplittableRandom;

/** The run {@code chaos remote}: a server and its clients die, and connections between them. */
public final class RemoteChaos implements Campaign.Rounds {
  private final Settings settings;
  private final PrintStream out;
  private final RemoteTally tally = new RemoteTally();
  private Ledger ledger = Ledger.empty();

  public RemoteChaos(Settings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  /** Runs all rounds; true if nothing was found. */
  public boolean run() {
    return new Campaign("remote", settings, tally, out, new Progress(out, 1)).run(this);
  }

  @Override
  public String play(int number, Workspace workspace, SplittableRandom random)
      throws InterruptedException {
    try (RemoteRound round = new RemoteRound(workspace, settings, random, tally)) {
      ledger = round.run(ledger);
      return round.notes();
    }
  }

  @Override
  public void finish(Workspace workspace) {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(workspace.path("database"))) {
      tally.findings.addAll(Audit.complete(database, ledger));
    }
  }
}
