package dev.tidemark.node.internal.cluster;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionClientOptions;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.ScanPage;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The command {@code cluster}: starts the example, and talks to its actors. */
public final class ClusterCommand {
  /** How it is used. */
  public static final String USAGE =
      """
      Usage: tidemark cluster start [DIRECTORY] [--port N]
             tidemark cluster put KEY VALUE | get KEY | delete KEY | list [FROM]
        start   two managers at ports N and N+1, 7500 unless said otherwise, and three servers of
                a key-value actor, in one process until stopped; in memory without DIRECTORY
        put, get, delete, list  ask the actors, by way of TIDEMARK_MANAGERS or those ports
        Exit codes: 0 done, 1 failed or nothing there, 2 wrong usage""";

  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;
  private static final int PORT = 7500;
  private static final int PAGE = 100;

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;

  /** Prints to these. */
  public ClusterCommand(PrintStream out, PrintStream err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = Map.copyOf(environment);
  }

  /** Runs what stands behind {@code cluster}, and answers the exit code. */
  public int run(String[] args) throws InterruptedException {
    try {
      List<String> words = new ArrayList<>(List.of(args));
      String command = words.isEmpty() ? "" : words.removeFirst();
      return switch (command) {
        case "start" -> start(words);
        case "put" -> ask(new KeyValueActor.Request("put", take(words), take(words)), words);
        case "get" -> ask(new KeyValueActor.Request("get", take(words), ""), words);
        case "delete" -> ask(new KeyValueActor.Request("delete", take(words), ""), words);
        case "list" -> list(words.isEmpty() ? "" : take(words), words);
        default ->
            throw new IllegalArgumentException("cluster needs start, put, get, delete or list");
      };
    } catch (IllegalArgumentException wrong) {
      err.println("tidemark: " + wrong.getMessage());
      err.println(USAGE);
      return WRONG_USAGE;
    } catch (PartitionException | DatabaseException failure) {
      err.println("tidemark: " + failure.getMessage());
      return FAILED;
    }
  }

  private static String take(List<String> words) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException("A KEY or a VALUE is missing");
    }
    return words.removeFirst();
  }

  private static void expectNoMore(List<String> words) {
    if (!words.isEmpty()) {
      throw new IllegalArgumentException("'%s' is too much".formatted(words.getFirst()));
    }
  }

  private int start(List<String> words) throws InterruptedException {
    int port = PORT;
    int option = words.indexOf("--port");
    if (option >= 0) {
      words.remove(option);
      port = Integer.parseInt(option < words.size() ? words.remove(option) : "");
    }
    Optional<Path> directory =
        words.isEmpty() ? Optional.empty() : Optional.of(Path.of(words.removeFirst()));
    expectNoMore(words);
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    try (ExampleCluster cluster = ExampleCluster.start(directory, port)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(asked, ended), "cluster-stop"));
      out.println("tidemark: managers at " + String.join(", ", cluster.managers()));
      cluster.servers().forEach(server -> out.println("tidemark: " + server));
      out.println("tidemark: try ./tidemark cluster put hello world, ./tidemark ctl routing");
      asked.await();
    } finally {
      ended.countDown();
    }
    return 0;
  }

  private static void stop(CountDownLatch asked, CountDownLatch ended) {
    asked.countDown();
    try {
      ended.await();
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }

  private PartitionClient client() {
    String managers =
        environment.getOrDefault(
            "TIDEMARK_MANAGERS",
            "tidemark://127.0.0.1:%d,tidemark://127.0.0.1:%d".formatted(PORT, PORT + 1));
    return PartitionClient.connect(
        PartitionClientOptions.managers(managers.split(",", -1))
            .withConnectTimeout(Duration.ofSeconds(10)));
  }

  private int ask(KeyValueActor.Request request, List<String> words) {
    expectNoMore(words);
    try (PartitionClient client = client()) {
      String answer = client.send(KeyValueActor.TYPE, Key.utf8(request.key()), request);
      if (request.verb().equals("get")) {
        if (answer.equals(KeyValueActor.NOTHING)) {
          err.println("tidemark: there is no " + request.key());
          return FAILED;
        }
        out.println(answer);
      }
      return 0;
    }
  }

  private int list(String from, List<String> words) {
    expectNoMore(words);
    try (PartitionClient client = client()) {
      Optional<Key> next = Optional.of(Key.utf8(from));
      while (next.isPresent()) {
        ScanPage<String> page =
            client.scan(
                KeyValueActor.TYPE,
                new KeyValueActor.Request("list", "", ""),
                PartitionRange.from(next.get()),
                PAGE);
        page.items()
            .forEach(
                item ->
                    out.printf(
                        "%s\t%s%n",
                        new String(item.key().toByteArray(), StandardCharsets.UTF_8),
                        item.value()));
        next = page.next();
      }
      return 0;
    }
  }
}
