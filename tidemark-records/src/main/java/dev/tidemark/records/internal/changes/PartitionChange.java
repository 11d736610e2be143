package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.internal.keys.StreamKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Splits and merges partitions. It removes the row of each parent, which every writer of that
 * partition has read: a writer that commits later conflicts, retries and finds the children. The
 * last row of each parent's log has the stamp of the same commit, so parents end exactly where
 * children begin.
 */
final class PartitionChange {
  private final StreamState stream;
  private final StreamKeys keys;
  private final Transaction tx;

  PartitionChange(StreamState stream, Transaction tx) {
    this.stream = stream;
    this.keys = stream.keys();
    this.tx = tx;
  }

  /** Splits at {@code cut}; returns the numbers of the two. */
  List<Integer> split(Token token, Key cut) {
    PartitionRow parent = active(token);
    if (!parent.contains(cut) || cut.equals(parent.begin())) {
      throw new ChangeLogException(
          "The partition %s cannot be split at %s: the key must lie within it, behind its first one"
              .formatted(token.text(), cut.describe()));
    }
    int next = takeNumbers(2);
    List<Token> parents = List.of(token);
    PartitionRow.beginning(next, parent.begin(), cut, parents).begin(tx, keys);
    PartitionRow.beginning(next + 1, cut, parent.end(), parents).begin(tx, keys);
    List<Integer> children = List.of(next, next + 1);
    finish(List.of(parent), children);
    return children;
  }

  /** Merges two that lie side by side; returns the number of the one. */
  List<Integer> merge(Token one, Token other) {
    List<PartitionRow> parents = new ArrayList<>(List.of(active(one), active(other)));
    parents.sort((first, second) -> first.begin().compareTo(second.begin()));
    PartitionRow left = parents.getFirst();
    PartitionRow right = parents.getLast();
    if (!left.end().equals(right.begin())) {
      throw new ChangeLogException(
          "The partitions %s and %s do not lie side by side; only neighbours can be merged"
              .formatted(one.text(), other.text()));
    }
    int next = takeNumbers(1);
    List<Token> tokens = parents.stream().map(PartitionRow::token).toList();
    PartitionRow.beginning(next, left.begin(), right.end(), tokens).begin(tx, keys);
    finish(parents, List.of(next));
    return List.of(next);
  }

  private PartitionRow active(Token token) {
    Map<Key, byte[]> found =
        stream.get(tx, keys.horizon(), keys.active(token.number()), keys.ended(token.number()));
    PartitionRow partition =
        stream.partition(token, found, stream.earliest(found.get(keys.horizon())));
    if (partition.ended() != null) {
      throw new ChangeLogException(
          "The partition %s has ended; its children are active".formatted(token.text()));
    }
    return partition;
  }

  private int takeNumbers(int count) {
    int next = Tuple.unpack(tx.get(keys.nextPartition()).orElseThrow()).getInt(0);
    tx.set(keys.nextPartition(), Tuple.of(next + count).pack());
    return next;
  }

  private void finish(List<PartitionRow> parents, List<Integer> children) {
    List<Token> tokens = parents.stream().map(PartitionRow::token).toList();
    for (PartitionRow parent : parents) {
      parent.end(tx, keys, children);
      new LogRow.End(children, tokens).write(tx, keys.log(parent.number()), 0, Integer.MAX_VALUE);
    }
    MetadataVersion.change(tx); // Whoever changes records keeps the partitions at hand.
    LogWriter.wake(tx, keys);
  }
}
