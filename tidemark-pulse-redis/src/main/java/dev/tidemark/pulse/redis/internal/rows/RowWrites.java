package dev.tidemark.pulse.redis.internal.rows;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.pulse.redis.internal.link.Arguments;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a transition wants written, as a whole or not at all. */
final class RowWrites {
  private final NavigableMap<Key, byte[]> sets = new TreeMap<>();
  private final NavigableSet<Key> clears = new TreeSet<>();
  private final List<KeyRange> clearedRanges = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();

  /** Something to publish. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record Message(String channel, byte[] content) {}

  void set(Key key, byte[] value) {
    clears.remove(key);
    sets.put(key, value);
  }

  void clear(Key key) {
    sets.remove(key);
    clears.add(key);
  }

  void clear(KeyRange range) {
    sets.subMap(range.begin(), range.end()).clear();
    clears.subSet(range.begin(), range.end()).clear();
    clearedRanges.add(range);
  }

  void publish(String channel, byte[] content) {
    messages.add(new Message(channel, content));
  }

  NavigableMap<Key, byte[]> sets() {
    return sets;
  }

  NavigableSet<Key> clears() {
    return clears;
  }

  List<KeyRange> clearedRanges() {
    return clearedRanges;
  }

  boolean isEmpty() {
    return sets.isEmpty() && clears.isEmpty() && clearedRanges.isEmpty() && messages.isEmpty();
  }

  /** Whether a row of the store with this key is hidden by a clear. */
  boolean hides(Key key) {
    return clears.contains(key) || clearedRanges.stream().anyMatch(range -> range.contains(key));
  }

  /** Whether the answer to {@code read} may be another one after these writes. */
  boolean touch(RangeRead read) {
    return sets.keySet().stream().anyMatch(read::mayHold)
        || clears.stream().anyMatch(read::mayHold)
        || clearedRanges.stream().anyMatch(read.range()::intersects);
  }

  void write(Arguments to) {
    to.add(sets.size());
    sets.forEach((key, value) -> to.add(key.unsafeBytes()).add(value));
    to.add(clears.size());
    clears.forEach(key -> to.add(key.unsafeBytes()));
    to.add(clearedRanges.size());
    clearedRanges.forEach(
        range -> to.add(range.begin().unsafeBytes()).add(range.end().unsafeBytes()));
    to.add(messages.size());
    messages.forEach(message -> to.add(message.channel()).add(message.content()));
  }
}
