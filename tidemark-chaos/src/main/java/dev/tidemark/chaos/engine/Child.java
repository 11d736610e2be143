package dev.tidemark.chaos.engine;

import dev.tidemark.chaos.ledger.Accounts;
import dev.tidemark.chaos.ledger.Committer;
import dev.tidemark.chaos.ledger.Deed;
import dev.tidemark.chaos.ledger.Horizon;
import dev.tidemark.chaos.ledger.Layout;
import dev.tidemark.chaos.ledger.Writer;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.DatabaseException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * The process that is killed: it commits from many threads and tells its parent about every commit
 * whose success it has seen. It ends when its standard input does, so it never outlives its parent.
 */
final class Child {
  /** What the parent says when there is space on the disk again. */
  static final String FREED = "freed";

  private static final int TRANSFERS_IN_TEN = 7;
  private static final Duration LIVE_PATIENCE = Duration.ofSeconds(12);

  private final Order order;
  private final Parent parent = Parent.watch(this::hear);
  private final Horizon horizon = new Horizon(parent);
  private final CountDownLatch freed = new CountDownLatch(1);

  /** The last number that each writer has told, or found at the start; -1 before that. */
  private final long[] told = new long[Layout.WRITERS];

  /**
   * What a child is told to do.
   *
   * @param directory where the database is
   * @param writeBufferBytes how soon the database writes tables; zero for its default
   * @param padding bytes of filling in each entry
   * @param seed for the choice of accounts
   */
  record Order(Path directory, long writeBufferBytes, int padding, long seed) {
    List<String> arguments() {
      return List.of(
          directory.toString(),
          Long.toString(writeBufferBytes),
          Integer.toString(padding),
          Long.toString(seed));
    }

    static Order parse(String[] args) {
      return new Order(
          Path.of(args[0]),
          Long.parseLong(args[1]),
          Integer.parseInt(args[2]),
          Long.parseLong(args[3]));
    }
  }

  /** Starts a child with {@code order}, through the command {@code prefix} if that is not empty. */
  static ChildProcess start(Workspace workspace, List<String> prefix, Order order) {
    return ChildProcess.start(workspace, prefix, "child", Child.class, order.arguments());
  }

  private Child(Order order) {
    this.order = order;
    Arrays.fill(told, -1);
  }

  /** Runs until it is killed. */
  public static void main(String[] args) throws InterruptedException {
    new Child(Order.parse(args)).work();
  }

  private void hear(String line) {
    if (line.equals(FREED)) {
      freed.countDown();
    }
  }

  private void work() throws InterruptedException {
    EmbeddedDatabase database = open();
    Accounts.openIn(database);
    parent.tell(new Message.Opened());
    parent.tell(new Message.Stopped(runWriters(database)));
    parent.tell(new Message.Read(Accounts.sum(database)));
    freed.await();
    EmbeddedDatabase usable = resume(database);
    runWriters(usable);
    // Whatever the disk does now, the parent ends this process.
    Thread.currentThread().join();
  }

  /**
   * Runs all writers until each has met a failure; returns what kinds of the medium's there were.
   */
  private String runWriters(EmbeddedDatabase database) throws InterruptedException {
    Committer committer = new EmbeddedCommitter(parent, database, horizon);
    Deed.Kind kind = new Deed.Kind(TRANSFERS_IN_TEN, order.padding());
    List<Writer> writers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < Layout.WRITERS; number++) {
      SplittableRandom random = new SplittableRandom(order.seed() * 31 + number);
      Writer writer =
          new Writer(parent::tell, database, committer, number, told[number], kind, random);
      writers.add(writer);
      boolean virtual = number < Layout.VIRTUAL_WRITERS;
      threads.add((virtual ? Thread.ofVirtual() : Thread.ofPlatform()).unstarted(writer));
    }
    threads.forEach(Thread::start);
    for (int number = 0; number < Layout.WRITERS; number++) {
      threads.get(number).join();
      told[number] = writers.get(number).told();
    }
    return writers.stream()
        .flatMap(writer -> writer.failure().stream())
        .map(failure -> failure.kind().name())
        .distinct()
        .sorted()
        .collect(Collectors.joining("+"));
  }

  private EmbeddedDatabase resume(EmbeddedDatabase database) throws InterruptedException {
    long deadline = System.nanoTime() + LIVE_PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      if (commits(database)) {
        parent.tell(new Message.Resumed("live"));
        return database;
      }
      Thread.sleep(Duration.ofMillis(50));
    }
    database.close();
    EmbeddedDatabase reopened = open();
    if (commits(reopened)) {
      parent.tell(new Message.Resumed("reopened"));
    } else {
      parent.tell(
          new Message.Complaint("Commits fail after space was freed and the database reopened"));
    }
    return reopened;
  }

  private static boolean commits(EmbeddedDatabase database) {
    try {
      // Not a numbered commit: a balance is given the value that it has.
      database.run(tx -> tx.set(Layout.account(0), tx.get(Layout.account(0)).orElseThrow()));
      return true;
    } catch (DatabaseException stillFull) {
      return false;
    }
  }

  private EmbeddedDatabase open() {
    return EmbeddedDatabase.open(
        order.directory(),
        options ->
            order.writeBufferBytes() == 0
                ? options
                : options.withWriteBufferBytes(order.writeBufferBytes()));
  }
}
