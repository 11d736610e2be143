package dev.tidemark.chaos.run;

import java.io.PrintStream;
import java.util.SplittableRandom;

/** Round after round on one database that must survive them all, until something is found. */
public final class Campaign {
  private final String name;
  private final Settings settings;
  private final PrintStream out;
  private final Progress progress;
  private final Tally tally;

  public Campaign(String name, Settings settings, Tally tally, PrintStream out, Progress progress) {
    this.name = name;
    this.settings = settings;
    this.tally = tally;
    this.out = out;
    this.progress = progress;
  }

  /** What a campaign consists of. Whatever is wrong goes into the tally. */
  public interface Rounds {
    /** Plays one round and says what happened, for people. */
    String play(int number, Workspace workspace, SplittableRandom random)
        throws InterruptedException;

    /** Looks at everything once more after the last round, if nothing was found until then. */
    void finish(Workspace workspace);
  }

  /** Plays all rounds; true if nothing was found. */
  public boolean run(Rounds rounds) {
    progress.say("chaos %s: seed %d".formatted(name, settings.seed()));
    long begin = System.nanoTime();
    int round = 0;
    try (Workspace workspace = Workspace.open()) {
      while (round < settings.rounds()
          && System.nanoTime() - begin < settings.time().toNanos()
          && tally.findings.clean()) {
        round++;
        String notes = attempt(rounds, round, workspace);
        progress.round(
            round,
            "round %d: %s; %,d acknowledged so far".formatted(round, notes, tally.acknowledged()));
      }
      if (tally.findings.clean()) {
        rounds.finish(workspace);
      }
      if (!tally.findings.clean()) {
        tally.findings.problems().forEach(progress::say);
        progress.say(
            "failed in round %d with seed %d; everything is kept in %s"
                .formatted(round, settings.seed(), workspace.keep()));
      }
    }
    progress.say("chaos %s: %s seed=%d".formatted(name, tally.summary(round), settings.seed()));
    return tally.findings.clean();
  }

  private String attempt(Rounds rounds, int number, Workspace workspace) {
    // Each round draws from its own seed, so that a round can be looked at without those before.
    SplittableRandom random = new SplittableRandom(settings.seed() + number);
    try {
      return rounds.play(number, workspace, random);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      tally.findings.broken("the run was interrupted");
    } catch (RuntimeException unexpected) {
      tally.findings.broken(String.valueOf(unexpected));
      unexpected.printStackTrace(out);
    }
    return "failed";
  }
}
