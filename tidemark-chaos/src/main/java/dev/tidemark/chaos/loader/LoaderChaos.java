package dev.tidemark.chaos.loader;

import dev.tidemark.chaos.pulse.PulseServer;
import dev.tidemark.chaos.run.Campaign;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Progress;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.testkit.server.PostgresServer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * The run {@code chaos loader}: two loaders that fill one table from one stream are killed, and
 * their merges fail.
 */
public final class LoaderChaos implements Campaign.Rounds {
  private final Settings settings;
  private final PrintStream out;
  private final LoaderTally tally = new LoaderTally();

  public LoaderChaos(Settings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  /** Runs all rounds; true if nothing was found. */
  public boolean run() {
    return new Campaign("loader", settings, tally, out, new Progress(out, 1)).run(this);
  }

  @Override
  public String play(int number, Workspace workspace, SplittableRandom random)
      throws InterruptedException {
    Path directory = workspace.path("round-" + number);
    try (PostgresServer warehouse = PostgresServer.start(directory.resolve("postgres"));
        ChildProcess server = PulseServer.start(workspace, directory.resolve("database"))) {
      try (LoaderRound round = new LoaderRound(workspace, settings, random, tally, warehouse)) {
        round.run(LoaderRound.address(server));
        return round.notes();
      } finally {
        server.kill();
      }
    } finally {
      if (tally.findings.clean()) {
        Workspace.delete(directory);
      }
    }
  }

  @Override
  public void finish(Workspace workspace) {}
}
