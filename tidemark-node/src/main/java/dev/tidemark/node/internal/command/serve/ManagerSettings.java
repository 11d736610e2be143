package dev.tidemark.node.internal.command.serve;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.grpc.TokenFile;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.partitions.PartitionManagerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The partition manager of a node, if it is to have one. It listens as the store does, on a port of
 * its own.
 *
 * @param values the settings that were given, by name
 * @param prefix what stands before a name where the user wrote it
 */
record ManagerSettings(Map<String, String> values, String prefix) {
  static final String TYPES = "partition-types";
  static final String PORT = "partition-port";
  static final String CLUSTER = "partition-cluster";
  static final String ID = "partition-id";
  static final String TOKEN_FILE = "partition-token-file";
  static final String AUTHORITIES = "partition-tls-ca";
  static final List<String> NAMES = List.of(TYPES, PORT, CLUSTER, ID, TOKEN_FILE, AUTHORITIES);

  private static final String DEFAULT_PORT = "7500";

  /** Defends the map. */
  ManagerSettings {
    values = Map.copyOf(values);
  }

  /**
   * Refuses settings that make no sense.
   *
   * @throws Misuse saying which
   */
  void check() {
    Optional<String> lonely = NAMES.stream().filter(values::containsKey).findFirst();
    if (lonely.isPresent() && !values.containsKey(TYPES)) {
      throw new Misuse("%s%s needs %s%s".formatted(prefix, lonely.get(), prefix, TYPES));
    }
    if (values.containsKey(TYPES) && types().isEmpty()) {
      throw new Misuse(
          "%s%s takes the types of actors, with commas between them".formatted(prefix, TYPES));
    }
    port();
  }

  private List<String> types() {
    return Stream.of(values.getOrDefault(TYPES, "").split(",", -1))
        .map(String::strip)
        .filter(type -> !type.isEmpty())
        .toList();
  }

  private int port() {
    return ServeSettings.port(prefix + PORT, values.getOrDefault(PORT, DEFAULT_PORT));
  }

  /** The options of the manager, which listens like {@code store} does. */
  Optional<PartitionManagerOptions> options(ListenerOptions store) throws IOException {
    if (!values.containsKey(TYPES)) {
      return Optional.empty();
    }
    PartitionManagerOptions options =
        PartitionManagerOptions.forTypes(types().toArray(String[]::new))
            .withListener(store.withPort(port()))
            .withChannels(channels());
    if (values.containsKey(CLUSTER)) {
      options = options.withCluster(Subspace.of(values.get(CLUSTER)));
    }
    return Optional.of(values.containsKey(ID) ? options.withId(values.get(ID)) : options);
  }

  /** How the manager reaches the servers of partitions. */
  private ChannelOptions channels() throws IOException {
    ChannelOptions channels = ChannelOptions.defaults();
    if (values.containsKey(AUTHORITIES)) {
      channels = channels.withAuthorities(Path.of(values.get(AUTHORITIES)));
    }
    if (values.containsKey(TOKEN_FILE)) {
      channels = channels.withToken(new TokenFile(Path.of(values.get(TOKEN_FILE))).single());
    }
    return channels;
  }
}
