package dev.tidemark.node.internal.command.partitions;

import dev.tidemark.node.internal.console.Console;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionClientOptions;
import java.time.Duration;

/** Finds the cluster that {@code cluster start} runs. */
final class ExampleClient {
  /** Of the first manager, unless the start says otherwise. */
  static final int PORT = 7500;

  private ExampleClient() {}

  static PartitionClient connect(Console console) {
    String managers =
        console
            .environment()
            .getOrDefault(
                "TIDEMARK_MANAGERS",
                "tidemark://127.0.0.1:%d,tidemark://127.0.0.1:%d".formatted(PORT, PORT + 1));
    return PartitionClient.connect(
        PartitionClientOptions.managers(managers.split(",", -1))
            .withConnectTimeout(Duration.ofSeconds(10)));
  }
}
