package dev.tidemark.changes.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.ScriptedSource;
import dev.tidemark.changes.internal.watermark.Frontier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows what was committed, and checks what was delivered, acknowledged and claimed about it. */
final class Oracle {
  private final ScriptedSource source;
  private final OrderMode order;
  private final Set<String> delivered = new HashSet<>();
  private final Set<String> acked = new HashSet<>();
  private final Map<Object, Long> latest = new HashMap<>();
  private int inOrder;
  private int checked;
  private long deliveries;

  Oracle(ScriptedSource source, OrderMode order) {
    this.source = source;
    this.order = order;
  }

  void delivered(DataChange change) {
    deliveries++;
    boolean first = delivered.add(change.id());
    if (first && order != OrderMode.UNORDERED) {
      Object key = change.mods().getFirst().keys().get("id").orElseThrow();
      long version = (long) change.mods().getFirst().newValues().get("version").orElseThrow();
      assertThat(version).as("the next version of key " + key).isEqualTo(latest(key) + 1);
      latest.put(key, version);
    }
    if (first && order.isGlobal()) {
      assertThat(change.id()).isEqualTo(source.committed().get(inOrder++).id());
    }
  }

  private long latest(Object key) {
    return latest.getOrDefault(key, 0L);
  }

  void transaction(List<DataChange> changes) {
    assertThat(changes).hasSize((int) changes.getFirst().recordsInTransaction());
    assertThat(changes.stream().map(DataChange::serverTransactionId).distinct()).hasSize(1);
    assertThat(changes).isSortedAccordingTo(ScriptedSource.commitOrder());
  }

  void acked(DataChange change) {
    acked.add(change.id());
  }

  /** A watermark claims that everything it covers is acknowledged. */
  void checkAckWatermark(Frontier mark) {
    List<DataChange> committed = source.committed();
    while (checked < committed.size()
        && mark.covers(committed.get(checked).position(), source::compare)) {
      String id = committed.get(checked++).id();
      assertThat(acked.contains(id))
          .as(id + " is acknowledged, since " + mark + " covers it")
          .isTrue();
    }
  }

  boolean isComplete() {
    return acked.size() == source.committed().size();
  }

  List<String> missing() {
    return source.committed().stream()
        .map(DataChange::id)
        .filter(id -> !acked.contains(id))
        .toList();
  }

  long deliveries() {
    return deliveries;
  }
}
