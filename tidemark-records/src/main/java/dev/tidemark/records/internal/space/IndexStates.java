package dev.tidemark.records.internal.space;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.IndexStateException;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.Header.IndexInfo;
import dev.tidemark.records.internal.index.IndexWriter;
import dev.tidemark.records.internal.index.Maintainers;
import dev.tidemark.records.internal.index.Violations;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.Violation;
import dev.tidemark.records.schema.IndexSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The states of the indexes of a store, and their transitions. Each transition changes the header,
 * so it conflicts with all transactions that relied on the old state.
 */
public final class IndexStates {
  /** The range of all {@link IndexWriter#progressKey}s. */
  public static final KeyRange EVERY_RECORD = KeyRange.of(Key.of((byte) 0), Key.END);

  private final Space space;

  /** The states of the indexes of {@code space}. */
  public IndexStates(Space space) {
    this.space = space;
  }

  /** The states by the names of the indexes, in the order of the schema. */
  public Map<String, IndexState> all(ReadTransaction tx) {
    SpaceState state = space.state(tx);
    Map<String, IndexState> states = new LinkedHashMap<>();
    for (IndexSpec index : space.schema().indexes()) {
      states.put(index.name(), state.state(index.name()));
    }
    return Collections.unmodifiableMap(states);
  }

  /** Erases {@code index} and disables it. */
  public void disable(Transaction tx, String index) {
    SpaceState state = space.ownState(tx);
    state.maintainer(index).keys().clear(tx);
    enter(tx, state, index, IndexState.DISABLED);
  }

  /**
   * Erases {@code index} and makes it write-only, for a build from the start. The index moves to
   * keys that were never used, because an engine may step over removed keys for a long time.
   */
  public void beginAnew(Transaction tx, String index) {
    SpaceState state = space.ownState(tx);
    state.maintainer(index).keys().clear(tx);
    state.copy(index).ifPresent(copy -> copy.keys().clear(tx));
    int id = state.header().nextId();
    int form = Maintainers.form(state.maintainer(index).index().kind());
    space.change(
        tx,
        state
            .header()
            .withIdTaken()
            .with(index, info -> new IndexInfo(id, IndexState.WRITE_ONLY, info.since(), form)));
  }

  /**
   * Makes {@code index} write-only. A readable index is complete, which is recorded first because
   * writers of counts check it.
   */
  public void makeWriteOnly(Transaction tx, String index) {
    SpaceState state = space.ownState(tx);
    switch (state.state(index)) {
      case DISABLED -> beginAnew(tx, index);
      case WRITE_ONLY -> {}
      case READABLE, READABLE_UNIQUE_PENDING -> {
        state.maintainer(index).keys().built().insert(tx, EVERY_RECORD);
        enter(tx, state, index, IndexState.WRITE_ONLY);
      }
    }
  }

  /**
   * Makes {@code index} readable if it is complete. Returns its new state, which is pending while
   * it has violations.
   */
  public IndexState makeReadable(Transaction tx, String index) {
    SpaceState state = space.ownState(tx);
    IndexState before = state.state(index);
    if (before == IndexState.READABLE) {
      return before;
    }
    if (before == IndexState.DISABLED) {
      throw new IndexStateException(
          index,
          before,
          "The index '%s' is disabled and has no entries. Build it with an OnlineIndexer"
              .formatted(index));
    }
    IndexKeys keys = state.maintainer(index).keys();
    if (before == IndexState.WRITE_ONLY) {
      refuseIfMissing(tx, index, keys);
      tx.clear(keys.builtSpace().prefixRange());
      tx.clear(keys.build().prefixRange());
    }
    Optional<Violations> violations = Violations.of(state.maintainer(index));
    violations.ifPresent(each -> each.settle(tx, Integer.MAX_VALUE));
    boolean pending = violations.filter(each -> each.exist(tx)).isPresent();
    IndexState after = pending ? IndexState.READABLE_UNIQUE_PENDING : IndexState.READABLE;
    enter(tx, state, index, after);
    return after;
  }

  /** Makes a readable {@code index} pending because it has violations. */
  public void makeUniquePending(Transaction tx, String index) {
    SpaceState state = space.ownState(tx);
    if (state.state(index) == IndexState.READABLE) {
      enter(tx, state, index, IndexState.READABLE_UNIQUE_PENDING);
    }
  }

  private static void refuseIfMissing(Transaction tx, String index, IndexKeys keys) {
    List<KeyRange> missing = keys.built().missing(tx, EVERY_RECORD, 1);
    if (!missing.isEmpty()) {
      throw new IndexStateException(
          index,
          IndexState.WRITE_ONLY,
          "The index '%s' is not complete: records with primary keys in %s are not in it yet. Let an OnlineIndexer finish it"
              .formatted(index, missing.getFirst()));
    }
  }

  /** The first range of primary keys that {@code index} does not have yet. */
  public Optional<KeyRange> firstMissing(ReadTransaction tx, String index) {
    SpaceState state = space.state(tx);
    return switch (state.state(index)) {
      case DISABLED -> Optional.of(EVERY_RECORD);
      case WRITE_ONLY ->
          state.maintainer(index).keys().built().missing(tx, EVERY_RECORD, 1).stream().findFirst();
      case READABLE, READABLE_UNIQUE_PENDING -> Optional.empty();
    };
  }

  /** Removes at most {@code limit} resolved violations of {@code index}, and returns how many. */
  public int settle(Transaction tx, String index, int limit) {
    return Violations.of(space.ownState(tx).maintainer(index))
        .map(violations -> violations.settle(tx, limit))
        .orElse(0);
  }

  /** At most {@code limit} of the values that several records share in the unique {@code index}. */
  public List<Violation> violations(ReadTransaction tx, String index, int limit) {
    return Violations.of(space.state(tx).maintainer(index))
        .map(violations -> violations.list(tx, limit))
        .orElse(List.of());
  }

  /** Changes the state, and discards the copy of a running scrub, which the old state made. */
  private void enter(Transaction tx, SpaceState state, String index, IndexState after) {
    state.copy(index).ifPresent(copy -> copy.keys().clear(tx));
    if (state.state(index) != after || state.copy(index).isPresent()) {
      Header changed =
          state.header().with(index, info -> info.withState(after).withCopy(IndexInfo.NO_COPY));
      space.change(tx, withoutReplaced(tx, space, changed));
    }
  }

  /** {@code header} without implied indexes that a declared and readable index replaces. */
  public static Header withoutReplaced(Transaction tx, Space space, Header header) {
    Header left = header;
    for (IndexSpec implied : space.schema().impliedIndexes()) {
      boolean listed = space.schema().index(implied.name()).isPresent();
      boolean replaced =
          space.schema().indexes().stream()
              .anyMatch(
                  index ->
                      index.replaces(implied) && header.index(index.name()).state().isReadable());
      IndexInfo old = header.indexes().get(implied.name());
      if (!listed && replaced && old != null) {
        space.keys().index(old.id()).clear(tx);
        left = left.without(implied.name());
      }
    }
    return left;
  }
}
