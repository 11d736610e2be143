package dev.tidemark.changes.internal.metadata;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.RunRow;
import dev.tidemark.coordination.LeaseTable;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rows of one run in one transaction.
 *
 * <p>Below the run's space: {@code ("run")} and {@code ("partition", generation, token)}; leases of
 * members in a table of their own.
 */
final class KvRows implements MetadataStore.Rows {
  private static final String RUN = "run";
  private static final String PARTITION = "partition";
  private static final LeaseTable MEMBERS = new LeaseTable(Tuple.of("member"));

  private final Transaction tx;
  private final Subspace space;
  private final Rows leases;

  KvRows(Transaction tx, Subspace space, Rows leases) {
    this.tx = tx;
    this.space = space;
    this.leases = leases;
  }

  @Override
  public Optional<RunRow> run() {
    return tx.get(space.pack(RUN)).map(RowCodec::decodeRun);
  }

  @Override
  public void putRun(RunRow row) {
    tx.set(space.pack(RUN), RowCodec.encode(row).pack());
  }

  @Override
  public Optional<PartitionRow> partition(long generation, String token) {
    return tx.get(space.pack(PARTITION, generation, token))
        .map(bytes -> RowCodec.decodePartition(generation, token, bytes));
  }

  @Override
  public List<PartitionRow> partitions(long generation) {
    Subspace table = space.sub(PARTITION, generation);
    List<PartitionRow> rows = new ArrayList<>();
    for (KeyValue row : tx.scan(table.range())) {
      String token = table.unpack(row.key()).getString(0);
      rows.add(RowCodec.decodePartition(generation, token, row.value()));
    }
    return rows;
  }

  @Override
  public void put(PartitionRow row) {
    tx.set(space.pack(PARTITION, row.generation(), row.token()), RowCodec.encode(row).pack());
  }

  @Override
  public void remove(long generation, String token) {
    tx.clear(space.pack(PARTITION, generation, token));
  }

  @Override
  public Map<String, Instant> members() {
    Map<String, Instant> members = new TreeMap<>();
    MEMBERS.all(leases).forEach(each -> members.put(each.id(), each.until()));
    return members;
  }

  @Override
  public Optional<Instant> member(String member) {
    return MEMBERS.find(leases, member).map(LeaseTable.Entry::until);
  }

  @Override
  public void putMember(String member, Instant end) {
    MEMBERS.put(leases, member, end, Tuple.EMPTY);
  }

  @Override
  public void removeMember(String member) {
    MEMBERS.remove(leases, member);
  }
}
