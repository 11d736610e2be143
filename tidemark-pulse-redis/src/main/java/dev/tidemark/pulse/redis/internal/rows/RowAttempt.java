package dev.tidemark.pulse.redis.internal.rows;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.redis.internal.link.Arguments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * One run of a transition. It reads from the cache and takes unknown rows for absent; everything
 * that it read is recorded, and the server carries out the writes only if all of it is still so.
 * Otherwise the server replies with the present state, and the transition runs again on that. So a
 * transition whose rows are cached costs one round trip, and any other one round trip for each
 * dependent step.
 */
final class RowAttempt implements Rows {
  private final String channels;
  private final RowKnowledge knowledge;

  /** What the runs before this one were told: also what is too much for the knowledge. */
  private final Told told;

  private final SequencedMap<Key, Optional<SeenRow>> rowsSeen = new LinkedHashMap<>();
  private final SequencedMap<RangeRead, SeenRange> rangesSeen = new LinkedHashMap<>();
  private final RowWrites writes = new RowWrites();

  /** What the server has told the runs of one transition. */
  static final class Told {
    final Map<Key, Optional<SeenRow>> rows = new HashMap<>();
    final Map<RangeRead, SeenRange> ranges = new HashMap<>();
    private Set<Key> rowsAsked = Set.of();
    private Set<RangeRead> rangesAsked = Set.of();

    /**
     * Notes that the server has just been asked about all that {@code attempt} saw. Of what is
     * otherwise it tells; the rest is so, whatever others put into the knowledge meanwhile.
     */
    void asked(RowAttempt attempt) {
      rows.putAll(attempt.rowsSeen);
      ranges.putAll(attempt.rangesSeen);
      rowsAsked = attempt.rowsSeen.keySet();
      rangesAsked = attempt.rangesSeen.keySet();
    }

    /** Whether all that {@code attempt} saw was so when the server was asked the last time. */
    boolean coverOneMoment(RowAttempt attempt) {
      return rowsAsked.containsAll(attempt.rowsSeen.keySet())
          && rangesAsked.containsAll(attempt.rangesSeen.keySet());
    }
  }

  RowAttempt(String channels, RowKnowledge knowledge, Told told) {
    this.channels = channels;
    this.knowledge = knowledge;
    this.told = told;
  }

  RowWrites writes() {
    return writes;
  }

  /** The rows that were seen, in the order in which the server is asked about them. */
  List<Key> rowsSeen() {
    return List.copyOf(rowsSeen.keySet());
  }

  /** The ranges that were seen, in the same way. */
  List<RangeRead> rangesSeen() {
    return List.copyOf(rangesSeen.keySet());
  }

  void writeSeen(Arguments to) {
    to.add(rowsSeen.size());
    rowsSeen.forEach(
        (key, row) -> to.add(key.unsafeBytes()).add(row.map(SeenRow::version).orElse("")));
    to.add(rangesSeen.size());
    rangesSeen.forEach(
        (read, seen) ->
            to.add(read.range().begin().unsafeBytes())
                .add(read.range().end().unsafeBytes())
                .add(read.limit())
                .add(seen.newest())
                .add(seen.rows().size())
                .add(seen.last().unsafeBytes()));
  }

  @Override
  public Optional<byte[]> get(Tuple key) {
    Key packed = key.toKey();
    byte[] own = writes.sets().get(packed);
    if (own != null) {
      return Optional.of(own.clone());
    }
    return writes.hides(packed) ? Optional.empty() : stored(packed).map(row -> row.value().clone());
  }

  private Optional<SeenRow> stored(Key key) {
    return rowsSeen.computeIfAbsent(
        key, unseen -> told.rows.getOrDefault(unseen, knowledge.row(unseen)));
  }

  @Override
  public Map<Tuple, byte[]> getAll(Collection<Tuple> keys) {
    Map<Tuple, byte[]> found = HashMap.newHashMap(keys.size());
    keys.forEach(key -> get(key).ifPresent(value -> found.put(key, value)));
    return found;
  }

  /** With conflicts: a transition here is short, and the check costs no step of its own. */
  @Override
  public Map<Tuple, byte[]> peekAll(Collection<Tuple> keys) {
    return getAll(keys);
  }

  @Override
  public boolean isJoined() {
    return false;
  }

  @Override
  public List<Row> scan(Tuple prefix, int limit) {
    KeyRange range = prefix.range();
    NavigableMap<Key, byte[]> merged = new TreeMap<>();
    Key from = range.begin();
    while (true) {
      SeenRange part = storedRange(new RangeRead(new KeyRange(from, range.end()), limit));
      part.rows()
          .forEach(
              (key, row) -> {
                if (!writes.hides(key)) {
                  merged.put(key, row.value().clone());
                }
              });
      boolean all = part.rows().size() < limit;
      if (all || merged.size() >= limit) {
        Key end = all ? range.end() : part.last().next();
        writes
            .sets()
            .subMap(range.begin(), end)
            .forEach((key, own) -> merged.put(key, own.clone()));
        return list(merged, limit);
      }
      from = part.last().next();
    }
  }

  private SeenRange storedRange(RangeRead read) {
    return rangesSeen.computeIfAbsent(
        read,
        unseen ->
            Optional.ofNullable(told.ranges.get(unseen))
                .or(() -> knowledge.range(unseen))
                .orElse(SeenRange.NONE));
  }

  /** Asked for anew in every transition, and not checked again once it was answered. */
  @Override
  public List<Row> peek(Tuple prefix, Tuple after, int limit) {
    KeyRange all = prefix.range();
    Key begin = after.equals(prefix) ? all.begin() : after.toKey().next();
    if (begin.compareTo(all.end()) >= 0) {
      return List.of();
    }
    RangeRead read = new RangeRead(new KeyRange(begin, all.end()), limit);
    SeenRange known = told.ranges.get(read);
    if (known == null) {
      rangesSeen.putIfAbsent(read, SeenRange.NONE);
      return List.of();
    }
    NavigableMap<Key, byte[]> rows = new TreeMap<>();
    known.rows().forEach((key, row) -> rows.put(key, row.value().clone()));
    return list(rows, limit);
  }

  private static List<Row> list(NavigableMap<Key, byte[]> rows, int limit) {
    List<Row> list = new ArrayList<>();
    for (Map.Entry<Key, byte[]> row : rows.entrySet()) {
      if (list.size() == limit) {
        break;
      }
      list.add(new Row(Tuple.unpack(row.getKey()), row.getValue()));
    }
    return list;
  }

  @Override
  public void set(Tuple key, byte[] value) {
    writes.set(key.toKey(), value.clone());
  }

  @Override
  public boolean addsWithoutReading() {
    return false;
  }

  @Override
  public void add(Tuple key, long delta) {
    set(key, Rows.counter(Rows.counter(get(key).orElse(null)) + delta));
  }

  @Override
  public void clear(Tuple key) {
    writes.clear(key.toKey());
  }

  @Override
  public void clearAll(Tuple prefix) {
    writes.clear(prefix.range());
  }

  @Override
  public void wake(String channel, byte[] hint) {
    writes.publish(channels + channel, hint.clone());
  }

  /** A channel of Redis is nowhere kept. */
  @Override
  public void forget(String channel) {}
}
