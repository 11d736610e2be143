package dev.tidemark.partitions;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** How a {@link PartitionManager} works. Immutable; {@code with…} methods make copies. */
public final class PartitionManagerOptions {
  private static final Duration LEAST_LEASE = Duration.ofMillis(500);

  private final String id;
  private final List<String> actorTypes;
  private final Subspace cluster;
  private final ListenerOptions listener;
  private final ChannelOptions channels;
  private final Optional<String> advertised;
  private final Policy policy;
  private final Duration leaderLease;
  private final Duration nodeLease;
  private final boolean openAdmission;
  private final PartitionMetrics metrics;

  private PartitionManagerOptions(
      String id,
      List<String> actorTypes,
      Subspace cluster,
      ListenerOptions listener,
      ChannelOptions channels,
      Optional<String> advertised,
      Policy policy,
      Duration leaderLease,
      Duration nodeLease,
      boolean openAdmission,
      PartitionMetrics metrics) {
    this.id = id;
    this.actorTypes = List.copyOf(actorTypes);
    this.cluster = cluster;
    this.listener = listener;
    this.channels = channels;
    this.advertised = advertised;
    this.policy = policy;
    this.leaderLease = leaderLease;
    this.nodeLease = nodeLease;
    this.openAdmission = openAdmission;
    this.metrics = metrics;
    check();
  }

  private void check() {
    if (actorTypes.isEmpty() || actorTypes.stream().anyMatch(String::isBlank)) {
      throw UsageException.invalidOption(
          "actorTypes is %s; a manager needs at least one actor type with a name"
              .formatted(actorTypes));
    }
    if (id.isBlank()) {
      throw UsageException.invalidOption("id is \"%s\"; a manager needs a name".formatted(id));
    }
    advertised.ifPresent(address -> ServerAddresses.check("the manager", address));
    OptionChecks.duration("leaderLease", leaderLease, LEAST_LEASE);
    OptionChecks.duration("nodeLease", nodeLease, LEAST_LEASE);
  }

  /**
   * A manager for these actor types, on a free port of this machine.
   *
   * @throws UsageException if there is no type
   */
  public static PartitionManagerOptions forTypes(String... actorTypes) {
    return new PartitionManagerOptions(
        "manager-" + UUID.randomUUID(),
        List.of(actorTypes),
        Subspace.of("partitions"),
        ListenerOptions.defaults(),
        ChannelOptions.defaults(),
        Optional.empty(),
        Policy.manual(),
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        true,
        PartitionMetrics.NONE);
  }

  /** The manager's name, which no other manager of the cluster has. Default a random one. */
  public String id() {
    return id;
  }

  /** The actor types that get a first partition as soon as a node is active. */
  public List<String> actorTypes() {
    return actorTypes;
  }

  /** Where the cluster is in the store. Default {@code Subspace.of("partitions")}. */
  public Subspace cluster() {
    return cluster;
  }

  /** Where the manager listens, and whom it lets in. Default a free port of this machine. */
  public ListenerOptions listener() {
    return listener;
  }

  /** How the manager connects to servers. */
  public ChannelOptions channels() {
    return channels;
  }

  /** The address that others are told. Default that of the listener. */
  public Optional<String> advertised() {
    return advertised;
  }

  /** The policy while no operator has applied one. Default {@link Policy#manual}. */
  public Policy policy() {
    return policy;
  }

  /** How long a manager leads without renewing. Default 10 seconds. */
  public Duration leaderLease() {
    return leaderLease;
  }

  /**
   * The longest lease of the nodes; a new leader waits for that long before it ends one. Default 10
   * s.
   */
  public Duration nodeLease() {
    return nodeLease;
  }

  /** Whether nodes join without being registered, and return after a failure. Default yes. */
  public boolean openAdmission() {
    return openAdmission;
  }

  /** These options with another name. */
  public PartitionManagerOptions withId(String other) {
    return copy(other, cluster, listener, channels, advertised, policy);
  }

  /** These options with another place in the store. */
  public PartitionManagerOptions withCluster(Subspace other) {
    return copy(id, other, listener, channels, advertised, policy);
  }

  /** These options with another port, and others who may use it. */
  public PartitionManagerOptions withListener(ListenerOptions other) {
    return copy(id, cluster, other, channels, advertised, policy);
  }

  /** These options with other connections to servers. */
  public PartitionManagerOptions withChannels(ChannelOptions other) {
    return copy(id, cluster, listener, other, advertised, policy);
  }

  /** These options with another address that others are told. */
  public PartitionManagerOptions withAdvertised(String address) {
    return copy(id, cluster, listener, channels, Optional.of(address), policy);
  }

  /** These options with another policy while none is applied. */
  public PartitionManagerOptions withPolicy(Policy other) {
    return copy(id, cluster, listener, channels, advertised, other);
  }

  private PartitionManagerOptions copy(
      String newId,
      Subspace newCluster,
      ListenerOptions newListener,
      ChannelOptions newChannels,
      Optional<String> newAdvertised,
      Policy newPolicy) {
    return new PartitionManagerOptions(
        newId,
        actorTypes,
        newCluster,
        newListener,
        newChannels,
        newAdvertised,
        newPolicy,
        leaderLease,
        nodeLease,
        openAdmission,
        metrics);
  }

  /** These options with other leases, of the leader and of the nodes. */
  public PartitionManagerOptions withLeases(Duration leader, Duration nodes) {
    return new PartitionManagerOptions(
        id,
        actorTypes,
        cluster,
        listener,
        channels,
        advertised,
        policy,
        leader,
        nodes,
        openAdmission,
        metrics);
  }

  /** Who is told of operations and terms. Default nobody. */
  public PartitionMetrics metrics() {
    return metrics;
  }

  /** These options with other metrics. */
  public PartitionManagerOptions withMetrics(PartitionMetrics other) {
    return new PartitionManagerOptions(
        id,
        actorTypes,
        cluster,
        listener,
        channels,
        advertised,
        policy,
        leaderLease,
        nodeLease,
        openAdmission,
        other);
  }

  /** These options; nodes have to be registered, and reset after a failure. */
  public PartitionManagerOptions withRegisteredNodesOnly() {
    return new PartitionManagerOptions(
        id,
        actorTypes,
        cluster,
        listener,
        channels,
        advertised,
        policy,
        leaderLease,
        nodeLease,
        false,
        metrics);
  }
}
