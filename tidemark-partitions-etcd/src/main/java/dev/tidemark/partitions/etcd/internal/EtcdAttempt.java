package dev.tidemark.partitions.etcd.internal;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.tuple.Tuple;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One run of a transition. All its reads are of one revision, that of the first. It remembers the
 * revision of each row that it read, and of the guard of each table that it scanned; its writes
 * happen in one transaction that compares them all.
 */
final class EtcdAttempt implements Rows {
  private static final int PAGE = 500;

  private final EtcdCalls calls;
  private final EtcdKeys keys;

  /** Without this, nothing is compared and so guards need not be read. */
  private final boolean writing;

  /** The revision that is read; 0 before the first read. */
  private long revision;

  private final Map<ByteSequence, Long> seen = new LinkedHashMap<>();
  private final Map<Tuple, Optional<byte[]>> known = new HashMap<>();
  private final Map<Tuple, Optional<byte[]>> writes = new LinkedHashMap<>();
  private final Set<String> woken = new LinkedHashSet<>();
  private final Set<String> forgotten = new LinkedHashSet<>();

  EtcdAttempt(EtcdCalls calls, EtcdKeys keys, boolean writing) {
    this.calls = calls;
    this.keys = keys;
    this.writing = writing;
  }

  /** Carries out the writes; false if something that was read has changed. */
  boolean commit() {
    List<Op> operations = new ArrayList<>();
    Set<ByteSequence> guards = new LinkedHashSet<>();
    writes.forEach(
        (key, value) -> {
          guards.add(keys.guard(key));
          operations.add(
              value
                  .<Op>map(
                      bytes -> Op.put(keys.row(key), ByteSequence.from(bytes), PutOption.DEFAULT))
                  .orElseGet(() -> Op.delete(keys.row(key), DeleteOption.DEFAULT)));
        });
    guards.forEach(guard -> operations.add(Op.put(guard, ByteSequence.EMPTY, PutOption.DEFAULT)));
    woken.forEach(
        channel ->
            operations.add(Op.put(keys.wake(channel), ByteSequence.EMPTY, PutOption.DEFAULT)));
    forgotten.forEach(
        channel -> operations.add(Op.delete(keys.wake(channel), DeleteOption.DEFAULT)));
    if (operations.isEmpty()) {
      return true;
    }
    List<Cmp> compared = new ArrayList<>();
    seen.forEach((key, at) -> compared.add(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(at))));
    return calls.commit(compared, operations);
  }

  private GetOption.Builder atRevision() {
    return GetOption.builder().withRevision(revision);
  }

  private GetResponse read(ByteSequence key, GetOption.Builder option) {
    GetResponse response = calls.get(key, option.build());
    pin(response.getHeader().getRevision());
    return response;
  }

  private void pin(long found) {
    if (revision == 0) {
      revision = found;
    }
  }

  @Override
  public Optional<byte[]> get(Tuple key) {
    Optional<byte[]> written = writes.get(key);
    if (written != null) {
      return written.map(byte[]::clone);
    }
    if (!known.containsKey(key)) {
      learn(key, read(keys.row(key), atRevision()));
    }
    return known.getOrDefault(key, Optional.empty()).map(byte[]::clone);
  }

  private void learn(Tuple key, GetResponse response) {
    Optional<KeyValue> found = response.getKvs().stream().findFirst();
    seen.put(keys.row(key), found.map(KeyValue::getModRevision).orElse(0L));
    known.put(key, found.map(row -> row.getValue().getBytes()));
  }

  @Override
  public Map<Tuple, byte[]> getAll(Collection<Tuple> wanted) {
    List<Tuple> missing =
        wanted.stream()
            .distinct()
            .filter(key -> !known.containsKey(key) && !writes.containsKey(key))
            .toList();
    int step = calls.operationsMax();
    for (int from = 0; from < missing.size(); from += step) {
      List<Tuple> some = missing.subList(from, Math.min(missing.size(), from + step));
      learnAll(some);
    }
    Map<Tuple, byte[]> found = HashMap.newHashMap(wanted.size());
    wanted.forEach(key -> get(key).ifPresent(value -> found.put(key, value)));
    return found;
  }

  private void learnAll(List<Tuple> some) {
    if (revision == 0) {
      get(some.getFirst());
    }
    GetOption option = atRevision().build();
    List<GetResponse> responses =
        calls.getAll(some.stream().<Op>map(key -> Op.get(keys.row(key), option)).toList());
    for (int i = 0; i < some.size(); i++) {
      learn(some.get(i), responses.get(i));
    }
  }

  @Override
  public Map<Tuple, byte[]> peekAll(Collection<Tuple> wanted) {
    return getAll(wanted);
  }

  @Override
  public boolean isJoined() {
    return false;
  }

  @Override
  public List<Row> scan(Tuple prefix, int limit) {
    if (writing) {
      ByteSequence guard = keys.guard(prefix);
      if (!seen.containsKey(guard)) {
        GetResponse response = read(guard, atRevision());
        seen.put(
            guard, response.getKvs().stream().findFirst().map(KeyValue::getModRevision).orElse(0L));
      }
    }
    KeyRange range = keys.table(prefix);
    TreeMap<Key, Row> found = new TreeMap<>();
    // Own removals may take rows away, so as many more are read.
    long enough = (long) limit + writes.size();
    for (Row row : list(range, enough)) {
      found.put(keys.packed(row.key()), row);
    }
    writes.forEach(
        (key, value) -> {
          Key packed = keys.packed(key);
          if (range.contains(packed)) {
            value.ifPresentOrElse(
                bytes -> found.put(packed, new Row(key, bytes.clone())),
                () -> found.remove(packed));
          }
        });
    return found.values().stream().limit(limit).toList();
  }

  @Override
  public List<Row> peek(Tuple prefix, Tuple after, int limit) {
    KeyRange range = keys.table(prefix);
    Key begin = after.equals(prefix) ? range.begin() : keys.packed(after).next();
    return begin.compareTo(range.end()) >= 0
        ? List.of()
        : list(new KeyRange(begin, range.end()), limit);
  }

  private List<Row> list(KeyRange range, long limit) {
    List<Row> rows = new ArrayList<>();
    ByteSequence begin = EtcdKeys.bytes(range.begin());
    ByteSequence end = EtcdKeys.bytes(range.end());
    while (rows.size() < limit) {
      GetResponse page =
          read(begin, atRevision().withRange(end).withLimit(Math.min(PAGE, limit - rows.size())));
      for (KeyValue row : page.getKvs()) {
        rows.add(new Row(keys.unpack(row.getKey()), row.getValue().getBytes()));
      }
      if (!page.isMore()) {
        return rows;
      }
      begin = EtcdKeys.bytes(keys.packed(rows.getLast().key()).next());
    }
    return rows;
  }

  @Override
  public void set(Tuple key, byte[] value) {
    writes.put(key, Optional.of(value.clone()));
  }

  @Override
  public void add(Tuple key, long delta) {
    set(key, Rows.counter(Rows.counter(get(key).orElse(null)) + delta));
  }

  @Override
  public boolean addsWithoutReading() {
    return false;
  }

  @Override
  public void clear(Tuple key) {
    writes.put(key, Optional.empty());
  }

  @Override
  public void clearAll(Tuple prefix) {
    scan(prefix, Integer.MAX_VALUE).forEach(row -> clear(row.key()));
  }

  @Override
  public void wake(String channel, byte[] hint) {
    forgotten.remove(channel);
    woken.add(channel);
  }

  @Override
  public void forget(String channel) {
    woken.remove(channel);
    forgotten.add(channel);
  }
}
