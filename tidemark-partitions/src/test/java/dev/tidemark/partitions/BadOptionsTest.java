package dev.tidemark.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.tuple.Subspace;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Options that make no sense are refused before a port is opened or a row is written. */
class BadOptionsTest {
  private static void refused(ThrowingCallable options, String why) {
    assertThatThrownBy(options).isInstanceOf(UsageException.class).hasMessageContaining(why);
  }

  @Test
  void managerNeedsTypesANameAnAddressAndLeases() {
    PartitionManagerOptions good = PartitionManagerOptions.forTypes("kv");
    refused(PartitionManagerOptions::forTypes, "at least one actor type");
    refused(() -> PartitionManagerOptions.forTypes("kv", " "), "at least one actor type");
    refused(() -> good.withId(" "), "a manager needs a name");
    refused(() -> good.withAdvertised(""), "address of the manager is empty");
    refused(() -> good.withAdvertised("http://here"), "is no address of a server");
    refused(() -> good.withLeases(Duration.ZERO, Duration.ofSeconds(1)), "leaderLease");
    refused(() -> good.withLeases(Duration.ofSeconds(1), Duration.ZERO), "nodeLease");
  }

  @Test
  void serverNeedsANameAnAddressAndTimes() {
    PartitionServerOptions good = PartitionServerOptions.node("a");
    refused(() -> PartitionServerOptions.node(""), "use 1 to 100 letters");
    refused(() -> PartitionServerOptions.node("a b"), "use 1 to 100 letters");
    refused(() -> good.withAdvertisedAddress(" "), "address of the server is empty");
    refused(() -> good.withAdvertisedAddress("here"), "is no address of a server");
    refused(() -> good.withLease(Duration.ofMillis(1)), "lease");
    refused(() -> good.withMailbox(0), "mailbox");
  }

  @Test
  void clientAndOperatorNeedAddressesOfManagers() {
    PartitionClientOptions good = PartitionClientOptions.managers("127.0.0.1:7500");
    refused(() -> PartitionClientOptions.managers(new String[0]), "at least one manager");
    refused(
        () -> PartitionClientOptions.managers("127.0.0.1:7500", ""),
        "address of a manager is empty");
    refused(() -> PartitionClientOptions.managers("nonsense"), "is no address of a server");
    refused(() -> good.withTimeout(Duration.ZERO), "timeout");
    refused(() -> good.withConnectTimeout(Duration.ZERO), "connectTimeout");
    refused(() -> operator(List.of()), "at least one manager");
    refused(() -> operator(List.of("nonsense")), "is no address of a server");
  }

  private static void operator(List<String> managers) {
    PartitionOperator.connect(managers, ChannelOptions.defaults(), Duration.ofSeconds(1)).close();
  }

  @Test
  void serverWithoutTypesOrWithOneTwiceWritesNothing() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      PartitionServerOptions options = PartitionServerOptions.node("a");
      Subspace place = Subspace.of("cluster");
      assertThatThrownBy(() -> PartitionServer.open(database, place, List.of(), options))
          .hasMessageContaining("at least one actor type");
      assertThatThrownBy(
              () ->
                  PartitionServer.open(
                      database, place, List.of(CounterActor.TYPE, CounterActor.TYPE), options))
          .hasMessageContaining("counter comes twice");
      assertThat(database.read(tx -> tx.scan(place.range()).list()).isEmpty()).isTrue();
    }
  }
}
