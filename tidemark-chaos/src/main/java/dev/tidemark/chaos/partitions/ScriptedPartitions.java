package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.run.Campaign;
import dev.tidemark.chaos.run.Progress;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionLoad;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.Route;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The run {@code chaos partitions --script}: splits, migrations, kills, ends and starts of servers
 * at fixed times, while workers put, delete and read ten thousand values. In the end everything is
 * compared with what was acknowledged, key by key and by scans.
 */
public final class ScriptedPartitions {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration TRY_AGAIN = Duration.ofMillis(500);
  private static final String SPLIT = "split";
  private static final String MIGRATE = "migrate";

  private final Script script;
  private final Duration length;
  private final Settings settings;
  private final boolean etcd;
  private final PrintStream out;
  private final PartitionsTally tally = new PartitionsTally();

  /**
   * A run of one script.
   *
   * @param script its name
   * @param settings the seed; and the length, if that is limited
   * @param etcd whether the control rows are in an etcd
   */
  public ScriptedPartitions(String script, Settings settings, boolean etcd, PrintStream out) {
    this.script = Script.named(script);
    this.length = settings.time().equals(Settings.UNLIMITED) ? Script.LENGTH : settings.time();
    this.settings =
        new Settings(
            Script.EVENTS.size(), Settings.UNLIMITED, settings.seed(), settings.longestRun());
    this.etcd = etcd;
    this.out = out;
  }

  /** Runs the script; true if nothing was found. */
  public boolean run() {
    Events events = new Events();
    try {
      return new Campaign("partitions", settings, tally, out, new Progress(out, 1)).run(events);
    } finally {
      events.close();
    }
  }

  /** Each event is a round. */
  private final class Events implements Campaign.Rounds, AutoCloseable {
    private Optional<Scene> scene = Optional.empty();

    @Override
    public String play(int number, Workspace workspace, SplittableRandom random)
        throws InterruptedException {
      if (scene.isEmpty()) {
        scene = Optional.of(new Scene(workspace));
      }
      Script.Event event = Script.EVENTS.get(number - 1);
      scene.get().sleepUntil(event.second());
      scene.get().play(event, random);
      return "%s, planned for second %d of %d"
          .formatted(event.what(), event.second(), Script.LENGTH.toSeconds());
    }

    @Override
    public void finish(Workspace workspace) {
      try {
        if (scene.isPresent()) {
          scene.get().finish();
        }
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        tally.findings.broken("the audit was interrupted");
      }
    }

    @Override
    public void close() {
      scene.ifPresent(Scene::close);
    }
  }

  /** The cluster, and the time since it works. */
  private final class Scene implements AutoCloseable {
    private final WorkingCluster working;
    private final long begin;

    Scene(Workspace workspace) throws InterruptedException {
      working =
          WorkingCluster.start(
              workspace,
              etcd,
              ValueActor.TYPE,
              client -> new ValuesLedger(client, settings.seed()),
              tally,
              out);
      begin = System.nanoTime();
      script.policy().ifPresent(policy -> working.operator.applyPolicy(policy.yaml(length)));
    }

    void sleepUntil(int second) throws InterruptedException {
      long left = begin + Script.at(second, length).toNanos() - System.nanoTime();
      if (left > 0) {
        Thread.sleep(Duration.ofNanos(left));
      }
    }

    void play(Script.Event event, SplittableRandom random) throws InterruptedException {
      switch (event.deed()) {
        case SPLIT -> operate(SPLIT, () -> split(random));
        case MIGRATE -> {
          if (!ownsEverything(event.node())) {
            operate(MIGRATE, () -> moveTo(event.node(), random));
          }
        }
        case KILL -> {
          ownSomething(event.node(), random);
          working.processes.killServer(event.node());
          tally.deed("kill");
        }
        case TERMINATE -> {
          ownSomething(event.node(), random);
          terminate(event.node());
        }
        case START -> {
          working.processes.startServer(working.operator, event.node());
          tally.deed("start");
        }
      }
      working.check(event.what());
    }

    private PartitionOperation split(SplittableRandom random) {
      Route route = any(random, routes());
      return working.operator.split(route.partition(), Optional.empty(), true);
    }

    private PartitionOperation moveTo(String node, SplittableRandom random) {
      List<Route> others = routes().stream().filter(route -> !route.node().equals(node)).toList();
      return working.operator.migrate(any(random, others).partition(), node, true);
    }

    private List<Route> routes() {
      return working.operator.routing().routes();
    }

    private boolean owns(String node) {
      return routes().stream().anyMatch(route -> route.node().equals(node));
    }

    private boolean ownsEverything(String node) {
      return routes().stream().allMatch(route -> route.node().equals(node));
    }

    private static Route any(SplittableRandom random, List<Route> routes) {
      return routes.get(random.nextInt(routes.size()));
    }

    /** Otherwise its end would prove nothing; a policy may have taken all from it. */
    private void ownSomething(String node, SplittableRandom random) throws InterruptedException {
      if (!owns(node)) {
        operate(MIGRATE, () -> moveTo(node, random));
      }
    }

    /** An operation that meets another one, or a node that is just leaving, is asked for again. */
    private void operate(String what, Supplier<PartitionOperation> operation)
        throws InterruptedException {
      StringBuilder why = new StringBuilder();
      boolean done =
          within(
              () -> {
                try {
                  PartitionOperation ended = operation.get();
                  why.append(' ').append(ended.error().orElse(ended.state().name()));
                  return ended.state() == PartitionOperation.State.DONE;
                } catch (PartitionException | UnavailableException refused) {
                  why.append(' ').append(refused.getMessage());
                  return false;
                }
              });
      tally.deed(what);
      if (!done) {
        tally.findings.broken("no %s within %s:%s".formatted(what, PATIENCE, why));
      }
    }

    private static boolean within(BooleanSupplier attempt) throws InterruptedException {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!attempt.getAsBoolean()) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        Thread.sleep(TRY_AGAIN);
      }
      return true;
    }

    private void terminate(String node) throws InterruptedException {
      if (!working.processes.terminateServer(node)) {
        tally.findings.broken(node + " did not end when it was asked to");
      }
      if (owns(node)) {
        tally.findings.broken(node + " has ended and has not given its partitions away");
      }
      tally.deed("terminate");
    }

    void finish() throws InterruptedException {
      sleepUntil(Script.WORK_ENDS);
      working.stopWork();
      sleepUntil((int) Script.LENGTH.toSeconds());
      if (script.policy().isPresent()) {
        checkPolicy(script.policy().get());
      }
      tally.deeds("partitions", routes().size());
      working.audit();
    }

    /** The policy has split beside the script, until no partition had too many keys. */
    private void checkPolicy(Script.ScriptedPolicy policy) throws InterruptedException {
      long automatic = splits() - tally.times(SPLIT);
      tally.deeds("automatic_split", (int) automatic);
      if (automatic < 1) {
        tally.findings.broken("the policy has split nothing");
      }
      if (!within(() -> isSplitEnough(policy))) {
        tally.findings.broken(
            "there are partitions of more than %d keys: %s"
                .formatted(policy.keys(), working.operator.statistics(Optional.empty())));
      }
    }

    private long splits() {
      return working.operator.operations(false).stream()
          .filter(one -> one.kind().equals(SPLIT) && one.state() == PartitionOperation.State.DONE)
          .count();
    }

    private boolean isSplitEnough(Script.ScriptedPolicy policy) {
      List<PartitionLoad> loads = working.operator.statistics(Optional.empty());
      return loads.size() == routes().size()
          && loads.stream().allMatch(load -> load.keys().orElse(0) <= policy.keys());
    }

    @Override
    public void close() {
      working.close();
    }
  }
}
