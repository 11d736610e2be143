package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.run.Campaign;
import dev.tidemark.chaos.run.Progress;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.PartitionOperator;
import dev.tidemark.partitions.Route;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The run {@code chaos partitions}: servers and managers are killed, paused and cut off while
 * partitions are split, merged, moved and drained, while workers check every answer, all of which
 * they know beforehand.
 */
public final class PartitionsChaos {
  private static final int COUNTERS = 1_000;
  private static final int DEEDS = 9;
  private static final int DEEDS_WITH_ETCD = 10;

  private final Settings settings;
  private final boolean etcd;
  private final PrintStream out;
  private final PartitionsTally tally = new PartitionsTally();

  /** A run whose control rows are in the store, or in an {@code etcd}. */
  public PartitionsChaos(Settings settings, boolean etcd, PrintStream out) {
    this.settings = settings;
    this.etcd = etcd;
    this.out = out;
  }

  /** Runs all rounds; true if nothing was found. */
  public boolean run() {
    Rounds rounds = new Rounds();
    try {
      return new Campaign("partitions", settings, tally, out, new Progress(out, 1)).run(rounds);
    } finally {
      rounds.close();
    }
  }

  private final class Rounds implements Campaign.Rounds, AutoCloseable {
    private Optional<Running> running = Optional.empty();

    @Override
    public String play(int number, Workspace workspace, SplittableRandom random)
        throws InterruptedException {
      if (running.isEmpty()) {
        running = Optional.of(new Running(workspace));
      }
      String done = running.get().step(number, random);
      tally.deed(done);
      return done;
    }

    @Override
    public void finish(Workspace workspace) {
      try {
        if (running.isPresent()) {
          running.get().audit();
        }
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        tally.findings.broken("the audit was interrupted");
      }
    }

    @Override
    public void close() {
      running.ifPresent(Running::close);
    }
  }

  /** A cluster under load, and what is done to it. */
  private final class Running implements AutoCloseable {
    private final WorkingCluster working;
    private final PartitionsCluster cluster;
    private final PartitionOperator operator;

    Running(Workspace workspace) throws InterruptedException {
      working =
          WorkingCluster.start(
              workspace,
              etcd,
              CountingActor.TYPE,
              client -> new PartitionsLedger(client, COUNTERS),
              tally,
              out);
      cluster = working.processes;
      operator = working.operator;
    }

    String step(int number, SplittableRandom random) throws InterruptedException {
      String done = deed(number, random);
      working.check(done);
      return done;
    }

    /** The first rounds do each deed once, so that a short run misses none. */
    private String deed(int number, SplittableRandom random) throws InterruptedException {
      int deeds = etcd ? DEEDS_WITH_ETCD : DEEDS;
      int choice = number <= deeds ? number - 1 : random.nextInt(deeds);
      try {
        return switch (choice) {
          case 0, 1 -> name("split", split(random));
          case 2 -> name("migrate", migrate(random));
          case 3 -> kill(random);
          case 4 -> pause(random);
          case 5 -> restartManager(random);
          case 6 -> drain(random);
          case 7 -> cut(random);
          case 8 -> merge();
          default -> restartEtcd();
        };
      } catch (PartitionException | UnavailableException refused) {
        out.println("refused: " + refused.getMessage());
        return "refused";
      }
    }

    private String name(String kind, PartitionOperation operation) {
      if (operation.state() == PartitionOperation.State.DONE) {
        return kind;
      }
      out.printf("%s %s: %s%n", kind, operation.state(), operation.error().orElse(""));
      return kind + "_failed";
    }

    private Route anyRoute(SplittableRandom random) {
      List<Route> routes = operator.routing().routes();
      return routes.get(random.nextInt(routes.size()));
    }

    private PartitionOperation split(SplittableRandom random) {
      Route route = anyRoute(random);
      Key key = Key.utf8(PartitionsLedger.name(random.nextInt(COUNTERS)));
      boolean inside = route.range().canSplitAt(key);
      return operator.split(route.partition(), inside ? Optional.of(key) : Optional.empty(), false);
    }

    private PartitionOperation migrate(SplittableRandom random) {
      Route route = anyRoute(random);
      List<String> others =
          cluster.serverNames().stream().filter(name -> !name.equals(route.node())).toList();
      return operator.migrate(route.partition(), others.get(random.nextInt(others.size())), false);
    }

    private String merge() {
      List<Route> routes = operator.routing().routes();
      for (int i = 1; i < routes.size(); i++) {
        Route lower = routes.get(i - 1);
        Route upper = routes.get(i);
        if (!lower.node().equals(upper.node())) {
          operator.migrate(upper.partition(), lower.node(), false);
        }
        return name("merge", operator.merge(lower.partition(), upper.partition(), false));
      }
      return "nothing_to_merge";
    }

    /** The server that is killed owns something. */
    private String kill(SplittableRandom random) throws InterruptedException {
      cluster.killServer(anyRoute(random).node());
      cluster.addServer(operator);
      return "kill";
    }

    private String pause(SplittableRandom random) throws InterruptedException {
      String node = anyRoute(random).node();
      cluster.pauseServer(node);
      cluster.awaitActive(operator, node);
      return "pause";
    }

    private String restartManager(SplittableRandom random) throws InterruptedException {
      List<String> names = cluster.managerNames();
      cluster.restartManager(names.get(random.nextInt(names.size())));
      return "kill_manager";
    }

    private String restartEtcd() {
      cluster.restartEtcd();
      return "kill_etcd";
    }

    private String cut(SplittableRandom random) throws InterruptedException {
      cluster.cut(random);
      return "cut";
    }

    private String drain(SplittableRandom random) throws InterruptedException {
      String node = anyRoute(random).node();
      PartitionOperation drained = operator.drain(node);
      cluster.killServer(node);
      cluster.addServer(operator);
      return name("drain", drained);
    }

    void audit() throws InterruptedException {
      working.stopWork();
      working.audit();
    }

    @Override
    public void close() {
      working.close();
    }
  }
}
