package dev.tidemark.changes.internal.metadata;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.RunRow;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one run in one transaction.
 *
 * <p>Below the run's space: {@code ("run")}, {@code ("partition", generation, token)} and {@code
 * ("member", id)}.
 */
final class KvRows implements MetadataStore.Rows {
  private static final String RUN = "run";
  private static final String PARTITION = "partition";
  private static final String MEMBER = "member";

  private final ReadTransaction reads;
  private final @Nullable Transaction writes;
  private final Subspace space;

  private KvRows(ReadTransaction reads, @Nullable Transaction writes, Subspace space) {
    this.reads = reads;
    this.writes = writes;
    this.space = space;
  }

  static KvRows of(Transaction tx, Subspace space) {
    return new KvRows(tx, tx, space);
  }

  static KvRows readOnly(ReadTransaction tx, Subspace space) {
    return new KvRows(tx, null, space);
  }

  @Override
  public Optional<RunRow> run() {
    return reads.get(space.pack(RUN)).map(RowCodec::decodeRun);
  }

  @Override
  public void putRun(RunRow row) {
    set(space.pack(RUN), RowCodec.encode(row));
  }

  @Override
  public Optional<PartitionRow> partition(long generation, String token) {
    return reads
        .get(space.pack(PARTITION, generation, token))
        .map(bytes -> RowCodec.decodePartition(generation, token, bytes));
  }

  @Override
  public List<PartitionRow> partitions(long generation) {
    Subspace table = space.sub(PARTITION, generation);
    List<PartitionRow> rows = new ArrayList<>();
    for (KeyValue row : reads.scan(table.range())) {
      String token = table.unpack(row.key()).getString(0);
      rows.add(RowCodec.decodePartition(generation, token, row.value()));
    }
    return rows;
  }

  @Override
  public void put(PartitionRow row) {
    set(space.pack(PARTITION, row.generation(), row.token()), RowCodec.encode(row));
  }

  @Override
  public void remove(long generation, String token) {
    writes().clear(space.pack(PARTITION, generation, token));
  }

  @Override
  public Map<String, Instant> members() {
    Subspace table = space.sub(MEMBER);
    Map<String, Instant> members = new TreeMap<>();
    for (KeyValue row : reads.scan(table.range())) {
      members.put(table.unpack(row.key()).getString(0), RowCodec.decodeTime(row.value()));
    }
    return members;
  }

  @Override
  public Optional<Instant> member(String member) {
    return reads.get(space.pack(MEMBER, member)).map(RowCodec::decodeTime);
  }

  @Override
  public void putMember(String member, Instant end) {
    set(space.pack(MEMBER, member), RowCodec.encode(end));
  }

  @Override
  public void removeMember(String member) {
    writes().clear(space.pack(MEMBER, member));
  }

  private void set(Key key, Tuple value) {
    writes().set(key, value.pack());
  }

  private Transaction writes() {
    if (writes == null) {
      throw new IllegalStateException("These rows are open for reading only; use update");
    }
    return writes;
  }
}
