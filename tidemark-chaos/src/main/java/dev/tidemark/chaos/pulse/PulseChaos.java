package dev.tidemark.chaos.pulse;

import dev.tidemark.chaos.run.Campaign;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Progress;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.pulse.testkit.RedisServer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The run {@code chaos pulse}: processes that share a stream and two pools are killed and paused.
 */
public final class PulseChaos implements Campaign.Rounds {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Settings settings;
  private final boolean redis;
  private final PrintStream out;
  private final PulseTally tally;

  public PulseChaos(Settings settings, boolean redis, PrintStream out) {
    this.settings = settings;
    this.redis = redis;
    this.out = out;
    this.tally = new PulseTally(!redis);
  }

  /** Runs all rounds; true if nothing was found. */
  public boolean run() {
    return new Campaign("pulse", settings, tally, out, new Progress(out, 1)).run(this);
  }

  @Override
  public String play(int number, Workspace workspace, SplittableRandom random)
      throws InterruptedException {
    return redis ? onRedis(number, workspace, random) : onOurStore(number, workspace, random);
  }

  private String onRedis(int number, Workspace workspace, SplittableRandom random)
      throws InterruptedException {
    try (RedisServer server =
        RedisServer.start(
            workspace.path("redis-" + number), RedisServer.Version.V7_0, "appendonly yes")) {
      return play(number, workspace, random, server.uri());
    }
  }

  private String onOurStore(int number, Workspace workspace, SplittableRandom random)
      throws InterruptedException {
    try (ChildProcess server = PulseServer.start(workspace, workspace.path("database"))) {
      int port =
          server
              .await(Message.Serving.class, PATIENCE)
              .orElseThrow(() -> new IllegalStateException("No server: " + server.errors()))
              .port();
      String notes = play(number, workspace, random, "tidemark://127.0.0.1:" + port);
      server.kill();
      return notes;
    }
  }

  private String play(int number, Workspace workspace, SplittableRandom random, String address)
      throws InterruptedException {
    try (PulseRound round = new PulseRound(number, workspace, settings, random, tally, address)) {
      round.run();
      return round.notes();
    }
  }

  @Override
  public void finish(Workspace workspace) {}
}
