package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.log.RequestId;
import dev.tidemark.partitions.internal.log.Staging;
import dev.tidemark.partitions.internal.log.StoreJournals;
import dev.tidemark.partitions.internal.store.LogHeadRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A store with a cluster in it, and engines as servers of it. Plays the manager's part in flips.
 */
final class Fixture implements AutoCloseable {
  static final String P = "p1";
  static final String TYPE = "kv";
  static final Duration PATIENCE = Duration.ofSeconds(60);

  final Database database;
  final PartitionKeys keys = new PartitionKeys(Subspace.of("cluster"));
  final Staging staging = new Staging(keys);
  private final List<Engine> engines = new ArrayList<>();
  private EngineOptions options = EngineOptions.DEFAULTS;

  Fixture(Database database) {
    this.database = database;
  }

  Fixture with(EngineOptions other) {
    options = other;
    return this;
  }

  /** Gives the partition to the first start of {@code node}. */
  void assign(String partition, String node, long epoch, PartitionRange range) {
    database.run(tx -> tx.set(keys.ownership(partition), owner(node, epoch, range).encode()));
  }

  static OwnershipRow owner(String node, long epoch, PartitionRange range) {
    return new OwnershipRow(epoch, node, 1, Phase.RECOVERING, TYPE, range, Optional.empty());
  }

  Server server(String node) {
    return server(node, () -> true, database);
  }

  Server server(String node, NodeLease lease, Database through) {
    Engine engine =
        new Engine(
            List.of(WordActor.type(TYPE), WordActor.typeWithoutSnapshots("plain")),
            new StoreJournals(through, keys, node, 1, () -> 0),
            options,
            lease,
            database.time());
    engines.add(engine);
    return new Server(engine, engine.host(node, 1));
  }

  LogHeadRow logHead(String partition) {
    return database
        .read(tx -> tx.get(keys.logHead(partition)).map(LogHeadRow::decode))
        .orElse(LogHeadRow.EMPTY);
  }

  OwnershipRow ownership(String partition) {
    return database.read(
        tx -> OwnershipRow.decode(tx.get(keys.ownership(partition)).orElseThrow()));
  }

  @Override
  public void close() {
    engines.forEach(Engine::close);
    database.close();
  }

  /** A server of the cluster. */
  record Server(Engine engine, EngineHost host) {
    String send(String partition, long epoch, String request) {
      return send(partition, epoch, request, Optional.empty());
    }

    String send(String partition, long epoch, String request, Optional<RequestId> id) {
      Key key = Key.utf8(request.split(" ", -1)[1]);
      byte[] payload = request.getBytes(StandardCharsets.UTF_8);
      return new String(
          engine.send(TYPE, partition, epoch, key, id, payload, PATIENCE), StandardCharsets.UTF_8);
    }

    String send(String request) {
      return send(P, 1, request);
    }
  }
}
