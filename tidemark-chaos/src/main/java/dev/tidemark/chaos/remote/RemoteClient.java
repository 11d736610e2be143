package dev.tidemark.chaos.remote;

import dev.tidemark.chaos.ledger.Committer;
import dev.tidemark.chaos.ledger.Deed;
import dev.tidemark.chaos.ledger.Horizon;
import dev.tidemark.chaos.ledger.Writer;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.remote.RemoteDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A client process of a remote run: some of the writers, sharing one connection. It goes on until
 * it is killed, or its parent ends.
 */
final class RemoteClient {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Deed.Kind TRANSFERS = new Deed.Kind(10, 0);

  private final Order order;
  private final Parent parent = Parent.watch(line -> {});

  /**
   * What a client is told to do.
   *
   * @param port where the server is, on the loopback address
   * @param firstWriter the number of its first writer
   * @param writers how many it has
   * @param seed for the choice of accounts
   */
  record Order(int port, int firstWriter, int writers, long seed) {
    private List<String> arguments() {
      return List.of(
          Integer.toString(port),
          Integer.toString(firstWriter),
          Integer.toString(writers),
          Long.toString(seed));
    }

    private static Order parse(String[] args) {
      return new Order(
          Integer.parseInt(args[0]),
          Integer.parseInt(args[1]),
          Integer.parseInt(args[2]),
          Long.parseLong(args[3]));
    }
  }

  private RemoteClient(Order order) {
    this.order = order;
  }

  static ChildProcess start(Workspace workspace, Order order) {
    return ChildProcess.start(
        workspace, "client-" + order.firstWriter(), RemoteClient.class, order.arguments());
  }

  /** Transfers until it is killed. */
  public static void main(String[] args) throws InterruptedException {
    new RemoteClient(Order.parse(args)).work();
  }

  private void work() throws InterruptedException {
    try (RemoteDatabase database = connect()) {
      Committer committer = new RemoteCommitter(parent, database, new Horizon(parent));
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < order.writers(); i++) {
        int number = order.firstWriter() + i;
        SplittableRandom random = new SplittableRandom(order.seed() * 31 + number);
        Writer writer =
            new Writer(parent::tell, database, committer, number, -1, TRANSFERS, random);
        Runnable work = () -> run(writer, number, parent::tell);
        threads.add((i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform()).start(work));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      parent.tell(new Message.Complaint("All writers of a client have ended"));
    }
  }

  /** Nothing happens to the disk of the server here, so that a failure of it is one of ours. */
  static void run(Writer writer, int number, Consumer<Message> parent) {
    writer.run();
    writer
        .failure()
        .ifPresent(
            failure ->
                parent.accept(new Message.Complaint("Writer %d: %s".formatted(number, failure))));
  }

  /** The server may be down just now. */
  private RemoteDatabase connect() {
    URI address = URI.create("tidemark://127.0.0.1:" + order.port());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return RemoteDatabase.connect(address);
      } catch (DatabaseException refused) {
        if (!refused.retryable() || System.nanoTime() > deadline) {
          parent.tell(new Message.Complaint("The client cannot connect: " + refused));
          throw refused;
        }
      }
    }
  }
}
