package dev.tidemark.bench.partitions;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tidemark.bench.partitions.PekkoMessages.Answer;
import dev.tidemark.bench.partitions.PekkoMessages.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;

/**
 * Pekko Cluster Sharding without persistence: two nodes with the entities and one that asks, over
 * Artery's TCP on loopback, in this process.
 */
final class PekkoRival implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final EntityTypeKey<Request> COUNTERS =
      EntityTypeKey.create(Request.class, "counter");
  private static final String SERVER = "server";

  private final List<ActorSystem<Void>> nodes = new ArrayList<>();
  private final ClusterSharding client;

  PekkoRival() throws InterruptedException {
    node(SERVER);
    node(SERVER);
    this.client = node("client");
    PartitionsCluster.await(
        "all nodes of Pekko are up", () -> nodes.stream().allMatch(this::seesAll));
  }

  private ClusterSharding node(String role) {
    ActorSystem<Void> node = ActorSystem.create(Behaviors.empty(), "rival", config(role));
    nodes.add(node);
    Cluster first = Cluster.get(nodes.getFirst());
    Cluster.get(node).manager().tell(Join.create(first.selfMember().address()));
    ClusterSharding sharding = ClusterSharding.get(node);
    sharding.init(Entity.of(COUNTERS, entity -> counter()).withRole(SERVER));
    return sharding;
  }

  private static Config config(String role) {
    return ConfigFactory.parseString(
            """
            pekko {
              loglevel = ERROR
              stdout-loglevel = OFF
              log-dead-letters = off
              log-dead-letters-during-shutdown = off
              actor.provider = cluster
              actor.serializers.bench = "%s"
              actor.serialization-bindings {
                "%s" = bench
                "%s" = bench
              }
              remote.artery {
                transport = tcp
                canonical { hostname = "127.0.0.1", port = 0 }
              }
              cluster {
                roles = [%s]
                jmx.multi-mbeans-in-same-jvm = on
              }
              coordinated-shutdown.exit-jvm = off
              coordinated-shutdown.run-by-jvm-shutdown-hook = off
            }
            """
                .formatted(
                    PekkoMessages.class.getName(),
                    Request.class.getName(),
                    Answer.class.getName(),
                    role))
        .withFallback(ConfigFactory.load());
  }

  private boolean seesAll(ActorSystem<Void> node) {
    int[] up = new int[1];
    Cluster.get(node)
        .state()
        .getMembers()
        .forEach(member -> up[0] += member.status().equals(MemberStatus.up()) ? 1 : 0);
    return up[0] == nodes.size();
  }

  private static Behavior<Request> counter() {
    return Behaviors.setup(
        context -> {
          long[] count = new long[1];
          return Behaviors.receiveMessage(
              request -> {
                count[0]++;
                request.replyTo().tell(new Answer(request.payload()));
                return Behaviors.same();
              });
        });
  }

  /** The answer of the entity of {@code key}. */
  byte[] send(String key, byte[] payload) throws Exception {
    EntityRef<Request> entity = client.entityRefFor(COUNTERS, key);
    return entity
        .<Answer>ask(replyTo -> new Request(payload, replyTo), PATIENCE)
        .toCompletableFuture()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .payload();
  }

  @Override
  public void close() {
    nodes.forEach(ActorSystem::terminate);
    for (ActorSystem<Void> node : nodes) {
      node.getWhenTerminated()
          .toCompletableFuture()
          .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .join();
    }
  }
}
