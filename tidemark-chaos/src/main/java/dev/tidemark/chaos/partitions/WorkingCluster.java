package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionOperator;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Function;

/** A cluster under load, and what must hold after everything that is done to it. */
final class WorkingCluster implements AutoCloseable {
  private static final Duration UNSERVED_MAX = Duration.ofSeconds(30);
  private static final int ENOUGH_ANSWERS = 200;

  final PartitionsCluster processes;
  final PartitionClient client;
  final PartitionOperator operator;
  private final Workload workload;
  private final PartitionsTally tally;
  private final PrintStream out;
  private long version;

  private WorkingCluster(
      PartitionsCluster processes,
      Function<PartitionClient, Workload> workload,
      PartitionsTally tally,
      PrintStream out) {
    this.processes = processes;
    this.client = processes.client();
    this.operator = processes.operator();
    this.workload = workload.apply(client);
    this.tally = tally;
    this.out = out;
  }

  /** Starts the processes, with actors of {@code type}, and the workers. */
  static WorkingCluster start(
      Workspace workspace,
      boolean etcd,
      ActorType<?, ?> type,
      Function<PartitionClient, Workload> workload,
      PartitionsTally tally,
      PrintStream out)
      throws InterruptedException {
    PartitionsCluster processes = PartitionsCluster.start(workspace, etcd, type.name());
    WorkingCluster cluster = new WorkingCluster(processes, workload, tally, out);
    cluster.workload.start();
    return cluster;
  }

  /** To be called after each deed. */
  void check(String done) throws InterruptedException {
    awaitAnswers(done);
    long now = client.routing().version();
    if (now < version) {
      tally.findings.broken("the routing version went from %d to %d".formatted(version, now));
    }
    version = now;
    workload.zombies().forEach(tally.findings::torn);
    workload.reasons().forEach(reason -> out.println("given up after " + done + ": " + reason));
    report();
  }

  /** The workers get answers again within half a minute. */
  private void awaitAnswers(String after) throws InterruptedException {
    long enough = workload.answers() + ENOUGH_ANSWERS;
    long deadline = System.nanoTime() + UNSERVED_MAX.toNanos();
    while (workload.answers() < enough) {
      if (System.nanoTime() > deadline) {
        tally.findings.broken(
            "not %d answers within %s after %s".formatted(ENOUGH_ANSWERS, UNSERVED_MAX, after));
        return;
      }
      Thread.sleep(10);
    }
  }

  private void report() {
    tally.requests(workload.answers(), workload.givenUp());
  }

  /** Ends the workers. */
  void stopWork() throws InterruptedException {
    workload.stop();
    report();
  }

  /** Looks at everything once more, as a new client sees it. */
  void audit() {
    try (PartitionClient reader = processes.client()) {
      workload.audit(reader, tally.findings);
    }
  }

  @Override
  public void close() {
    client.close();
    operator.close();
    processes.close();
  }
}
