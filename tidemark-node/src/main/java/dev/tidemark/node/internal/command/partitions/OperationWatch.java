package dev.tidemark.node.internal.command.partitions;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.PartitionOperation.State;
import dev.tidemark.partitions.PartitionOperator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Shows operations again whenever they have changed, until they have ended. */
final class OperationWatch {
  private static final Duration LOOK = Duration.ofMillis(200);

  private final PartitionOperator operator;
  private final Consumer<Listing> print;
  private final TimeSource time = TimeSource.system();
  private final Map<String, PartitionOperation> shown = new LinkedHashMap<>();

  OperationWatch(PartitionOperator operator, Consumer<Listing> print) {
    this.operator = operator;
    this.print = print;
  }

  /**
   * Follows one operation, or all that run now.
   *
   * @return 0 if they took effect, 1 if one did not
   */
  int follow(Optional<String> id) {
    Set<String> followed = new LinkedHashSet<>();
    id.ifPresentOrElse(
        followed::add,
        () -> operator.operations(true).forEach(operation -> followed.add(operation.id())));
    while (look(followed)) {
      pause();
    }
    return shown.values().stream().allMatch(one -> one.state() == State.DONE) ? 0 : 1;
  }

  /** Shows what has changed; whether one of them still runs. */
  private boolean look(Set<String> followed) {
    List<PartitionOperation> changed = new ArrayList<>();
    for (String id : followed) {
      PartitionOperation before = shown.get(id);
      if (before == null || before.state() == State.RUNNING) {
        PartitionOperation now = operator.operation(id);
        if (!now.equals(before)) {
          shown.put(id, now);
          changed.add(now);
        }
      }
    }
    if (!changed.isEmpty()) {
      print.accept(PartitionListings.operations(changed));
    }
    return shown.values().stream().anyMatch(one -> one.state() == State.RUNNING);
  }

  private void pause() {
    try {
      time.sleep(LOOK);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while watching", interrupt);
    }
  }
}
