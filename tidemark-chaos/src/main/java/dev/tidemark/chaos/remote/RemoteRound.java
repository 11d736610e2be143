package dev.tidemark.chaos.remote;

import dev.tidemark.chaos.ledger.Audit;
import dev.tidemark.chaos.ledger.Layout;
import dev.tidemark.chaos.ledger.Ledger;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A round in which several processes transfer money through one server, while connections are cut,
 * clients killed, and the server killed and started again. In the end every writer must commit once
 * more before all processes are killed and the books are checked.
 */
final class RemoteRound implements AutoCloseable {
  private static final int CLIENTS = 4;
  private static final int WRITERS = Layout.WRITERS / CLIENTS;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 10;
  private static final int PAUSE_MILLIS_MAX = 400;
  private static final int EARLY_KILL_ONE_IN = 4;
  private static final int EARLY_MILLIS = 800;

  private final Workspace workspace;
  private final Settings settings;
  private final SplittableRandom random;
  private final RemoteTally tally;
  private final Path directory;
  private final CuttingProxy proxy = CuttingProxy.open();
  private final List<ChildProcess> clients = new ArrayList<>();
  private final int[] incarnations = new int[CLIENTS];
  private final List<Message.Acknowledged> acknowledged = new ArrayList<>();
  private Optional<ChildProcess> server = Optional.empty();
  private int cuts;
  private int serverKills;
  private int clientKills;

  RemoteRound(Workspace workspace, Settings settings, SplittableRandom random, RemoteTally tally) {
    this.workspace = workspace;
    this.settings = settings;
    this.random = random;
    this.tally = tally;
    this.directory = workspace.path("database");
  }

  /** What happened, for people. */
  String notes() {
    return "%d cuts, server killed %d times, clients %d times, %,d transfers acknowledged"
        .formatted(cuts, serverKills, clientKills, acknowledged.size());
  }

  /** Runs the round on a database that holds {@code before}; returns what it holds afterwards. */
  Ledger run(Ledger before) throws InterruptedException {
    startServer();
    for (int seat = 0; seat < CLIENTS; seat++) {
      clients.add(startClient(seat));
    }
    awaitEverybody();
    long longest = settings.longestRun().toNanos();
    long end = System.nanoTime() + random.nextLong(longest / 2, longest);
    do {
      Thread.sleep(random.nextInt(PAUSE_MILLIS_MAX));
      disturb();
    } while (System.nanoTime() < end && tally.findings.clean());
    awaitEverybody();
    killAll();
    int processes = 0;
    for (int count : incarnations) {
      processes = Math.max(processes, count);
    }
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      Audit.Result result = Audit.of(database, before, acknowledged, processes);
      tally.findings.addAll(result.findings());
      return result.ledger();
    }
  }

  private void disturb() throws InterruptedException {
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        killServer();
        startServer();
      }
      case 2, 3 -> {
        int seat = random.nextInt(CLIENTS);
        collect(clients.get(seat));
        tally.clientKill();
        clientKills++;
        clients.set(seat, startClient(seat));
      }
      default -> {
        int count = proxy.cut(random);
        tally.cuts(count);
        cuts += count;
      }
    }
  }

  /** Starts the server, sometimes in several attempts of which only the last may end well. */
  private void startServer() throws InterruptedException {
    ChildProcess started = RemoteServer.start(workspace, directory);
    server = Optional.of(started);
    if (random.nextInt(EARLY_KILL_ONE_IN) == 0) {
      Thread.sleep(random.nextInt(EARLY_MILLIS));
      killServer();
      startServer();
      return;
    }
    Optional<Message.Serving> serving = started.await(Message.Serving.class, PATIENCE);
    if (serving.isEmpty()) {
      tally.findings.broken("the server does not start: %s".formatted(started.errors()));
    }
    serving.ifPresent(ready -> proxy.target(ready.port()));
  }

  private void killServer() throws InterruptedException {
    ChildProcess running = server.orElseThrow();
    running.kill();
    running.close();
    tally.settled(running.settled());
    tally.serverKill();
    serverKills++;
  }

  private ChildProcess startClient(int seat) {
    incarnations[seat]++;
    return RemoteClient.start(
        workspace,
        new RemoteClient.Order(proxy.port(), seat * WRITERS, WRITERS, random.nextLong()));
  }

  /** Waits until each writer of each client has told of one more transfer. */
  private void awaitEverybody() throws InterruptedException {
    List<Map<Integer, Long>> before = clients.stream().map(ChildProcess::told).toList();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (int seat = 0; seat < CLIENTS; seat++) {
      for (int writer = seat * WRITERS; writer < (seat + 1) * WRITERS; writer++) {
        long earlier = before.get(seat).getOrDefault(writer, 0L);
        while (clients.get(seat).told().getOrDefault(writer, 0L) <= earlier) {
          if (System.nanoTime() > deadline) {
            tally.findings.broken(
                "writer %d got nothing through for %s; its client says: %s"
                    .formatted(writer, PATIENCE, clients.get(seat).errors()));
            return;
          }
          Thread.sleep(POLL_MILLIS);
        }
      }
    }
  }

  private void killAll() throws InterruptedException {
    boolean serverFirst = random.nextBoolean();
    if (serverFirst) {
      killServer();
    }
    for (ChildProcess client : clients) {
      collect(client);
    }
    if (!serverFirst) {
      killServer();
    }
    tally.acknowledged(acknowledged.size());
  }

  /** Kills a client and takes what it has told. */
  private void collect(ChildProcess client) throws InterruptedException {
    if (client.ended()) {
      tally.findings.broken("a client ended by itself: %s".formatted(client.errors()));
    }
    client.kill();
    client.close();
    acknowledged.addAll(client.acknowledged());
    tally.unknown(client.unknown());
    client.complaints().forEach(tally.findings::broken);
  }

  @Override
  public void close() {
    clients.forEach(ChildProcess::close);
    server.ifPresent(ChildProcess::close);
    proxy.close();
  }
}
