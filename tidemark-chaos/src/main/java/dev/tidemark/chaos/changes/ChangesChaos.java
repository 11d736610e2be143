package dev.tidemark.chaos.changes;

import dev.tidemark.chaos.run.Campaign;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Progress;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The run {@code chaos changes}: three processes that share the reading of a change stream are
 * killed and paused while its records are written and its partitions split and merged. In odd
 * rounds the writers are in the process that has the store, in even rounds they use the served one.
 */
public final class ChangesChaos implements Campaign.Rounds {
  private final Settings settings;
  private final PrintStream out;
  private final ChangesTally tally = new ChangesTally();

  public ChangesChaos(Settings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  /** Runs all rounds; true if nothing was found. */
  public boolean run() {
    return new Campaign("changes", settings, tally, out, new Progress(out, 1)).run(this);
  }

  @Override
  public String play(int number, Workspace workspace, SplittableRandom random)
      throws InterruptedException {
    Path directory = workspace.path("round-" + number);
    boolean embedded = number % 2 == 1;
    List<String> seed = embedded ? List.of(Long.toString(random.nextLong())) : List.of();
    try (ChildProcess server = ChangesServer.start(workspace, directory, seed)) {
      try (ChangesRound round = new ChangesRound(workspace, settings, random, tally, server)) {
        return round.run(embedded);
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
