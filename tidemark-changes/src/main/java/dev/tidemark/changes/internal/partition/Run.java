package dev.tidemark.changes.internal.partition;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * One process's part in one generation of a run: every change of its rows.
 *
 * <p>A partition is claimed under an epoch, and each later write compares it. An owner whose lease
 * has ended loses its partitions to whoever claims them next; its own writes then fail with {@link
 * FencedException} and write nothing.
 */
public final class Run {
  private static final int SWEPT_MAX = 1_000;

  /** Precedes the name of the process that reads alone. */
  private static final String ALONE = "alone/";

  private final MetadataStore store;
  private final ChangeSource source;
  private final String name;
  private final String member;
  private final RunRow row;

  private Run(MetadataStore store, ChangeSource source, String name, String member, RunRow row) {
    this.store = store;
    this.source = source;
    this.name = name;
    this.member = member;
    this.row = row;
  }

  /**
   * Registers the run with its root, or joins it as it is stored: the stored start counts. A
   * generation that is complete is followed by a new one if {@code end} is later than its end.
   */
  public static Run open(
      MetadataStore store,
      ChangeSource source,
      String name,
      String member,
      Position start,
      Optional<Position> end) {
    RunRow opened =
        store.update(name, rows -> new RunOpening(rows, source, start, end, store.now()).open());
    return new Run(store, source, name, member, opened);
  }

  /** The run's own row. */
  public RunRow row() {
    return row;
  }

  /** The id of this process. */
  public String member() {
    return member;
  }

  /** The name of the run. */
  public String name() {
    return name;
  }

  /** All partitions of the generation and the members, at one moment. */
  public Snapshot snapshot() {
    Instant time = store.now();
    return store.read(
        name,
        rows -> {
          Map<String, PartitionRow> partitions = new TreeMap<>();
          rows.partitions(row.generation()).forEach(each -> partitions.put(each.token(), each));
          Standing standing =
              rows.run()
                  .map(
                      now ->
                          now.generation() == row.generation()
                              ? Standing.CURRENT
                              : Standing.FOLLOWED)
                  .orElse(Standing.DELETED);
          return new Snapshot(member, standing, partitions, rows.members(), time, source::compare);
        });
  }

  /** Renews this process's lease for {@code lease} from now. */
  public void renew(Duration lease) {
    Instant end = store.now().plus(lease);
    store.<Boolean>update(
        name,
        rows -> {
          rows.putMember(member, end);
          return true;
        });
  }

  /**
   * Renews this process's lease as the only one that may read, if no other process has that lease.
   *
   * @return whether this process is the only one
   */
  public boolean renewAlone(Duration lease) {
    Instant now = store.now();
    return store.update(
        name,
        rows -> {
          boolean free =
              rows.members().entrySet().stream()
                  .noneMatch(
                      each ->
                          each.getKey().startsWith(ALONE)
                              && !each.getKey().equals(ALONE + member)
                              && !each.getValue().isBefore(now));
          if (free) {
            rows.putMember(ALONE + member, now.plus(lease));
          }
          return free;
        });
  }

  /** Ends this process's lease and forgets those that ended {@code grace} ago or earlier. */
  public void leave(Duration grace) {
    Instant old = store.now().minus(grace);
    store.<Boolean>update(
        name,
        rows -> {
          rows.members()
              .forEach(
                  (id, end) -> {
                    if (id.equals(member) || id.equals(ALONE + member) || end.isBefore(old)) {
                      rows.removeMember(id);
                    }
                  });
          return true;
        });
  }

  /** Removes everything of the run, unless others take part in it or have continued it. */
  public void deleteIfLast() {
    Instant now = store.now();
    boolean last =
        store.read(
            name,
            rows ->
                rows.run().filter(each -> each.generation() == row.generation()).isPresent()
                    && rows.members().entrySet().stream()
                        .noneMatch(
                            each ->
                                !each.getKey().endsWith(member) && !each.getValue().isBefore(now)));
    if (last) {
      store.delete(name);
    }
  }

  /**
   * Claims a partition whose parents are finished and which nobody else alive owns. The rows
   * decide, as they are now; empty if somebody else was faster or a parent is not finished.
   */
  public Optional<PartitionRow> claim(String token) {
    return claim(List.of(token)).stream().findFirst();
  }

  /** Claims those of {@code tokens} that can be claimed, in one change. */
  public List<PartitionRow> claim(List<String> tokens) {
    Instant now = store.now();
    return store.update(
        name, rows -> tokens.stream().flatMap(token -> claim(rows, token, now).stream()).toList());
  }

  private Optional<PartitionRow> claim(MetadataStore.Rows rows, String token, Instant now) {
    return rows.partition(row.generation(), token)
        .filter(each -> Claims.isStartable(each, known(rows, now), source::compare))
        .map(each -> applied(rows, each, new Transition.Claim(member, now)));
  }

  private Claims.Known known(MetadataStore.Rows rows, Instant now) {
    return new Claims.Known() {
      @Override
      public Optional<PartitionRow> find(String token) {
        return rows.partition(row.generation(), token);
      }

      @Override
      public Collection<PartitionRow> all() {
        return rows.partitions(row.generation());
      }

      @Override
      public String member() {
        return member;
      }

      @Override
      public Instant now() {
        return now;
      }

      @Override
      public Optional<Instant> leaseEnd(String process) {
        return rows.member(process);
      }
    };
  }

  /** Notes that the query of a claimed partition has answered. */
  public void running(PartitionRow claimed) {
    Instant now = store.now();
    change(claimed, row -> run(row, claimed, now));
  }

  private PartitionRow run(PartitionRow row, PartitionRow claimed, Instant now) {
    return Transition.apply(row, new Transition.Run(member, claimed.epoch(), now));
  }

  /** Stores how far partitions were acknowledged, all together. */
  public void advance(Map<PartitionRow, ResumePoint> resumes) {
    store.<Boolean>update(
        name,
        rows -> {
          resumes.forEach((claimed, resume) -> advance(rows, claimed, resume));
          return true;
        });
  }

  /** Stores how far a partition was acknowledged, as a part of a change by the caller. */
  public void advance(MetadataStore.Rows rows, PartitionRow claimed, ResumePoint resume) {
    change(
        rows,
        claimed,
        row ->
            Transition.apply(
                row, new Transition.Advance(member, claimed.epoch(), resume, source::compare)));
  }

  /**
   * Inserts the children of a record, unless they are known; known ones stay as they are. The query
   * of {@code parent} has answered with the record, so the parent is running from then on.
   */
  public void insertChildren(PartitionRow parent, ChangeRecord.ChildPartitions record) {
    Instant now = store.now();
    store.<Boolean>update(
        name,
        rows -> {
          change(rows, parent, row -> run(row, parent, now));
          record.children().forEach(child -> insert(rows, child, record.position(), now));
          return true;
        });
  }

  private void insert(
      MetadataStore.Rows rows, ChangeRecord.Child child, Position start, Instant now) {
    if (rows.partition(row.generation(), child.token()).isEmpty()) {
      rows.put(PartitionRow.created(row.generation(), child.token(), child.parents(), start, now));
    }
  }

  /** Stores the last positions and finishes {@code claimed}, in one change. */
  public void finish(PartitionRow claimed, Map<PartitionRow, ResumePoint> resumes) {
    Instant now = store.now();
    store.<Boolean>update(
        name,
        rows -> {
          resumes.forEach((each, resume) -> advance(rows, each, resume));
          change(
              rows,
              claimed,
              row -> Transition.apply(row, new Transition.Finish(member, claimed.epoch(), now)));
          return true;
        });
  }

  /** Gives a claimed partition back, so that another process can go on at once. */
  public void release(PartitionRow claimed) {
    change(claimed, row -> Transition.apply(row, new Transition.Release(member, claimed.epoch())));
  }

  /** Removes partitions that finished before {@code limit} and can never be reported again. */
  public void sweep(Instant limit) {
    Snapshot seen = snapshot();
    List<String> old =
        seen.partitions().values().stream()
            .filter(each -> Claims.isForgettable(each, limit, seen.partitions(), source::rootOf))
            .map(PartitionRow::token)
            .limit(SWEPT_MAX)
            .toList();
    if (!old.isEmpty()) {
      store.<Boolean>update(
          name,
          rows -> {
            old.forEach(token -> rows.remove(row.generation(), token));
            return true;
          });
    }
  }

  private void change(PartitionRow claimed, UnaryOperator<PartitionRow> step) {
    store.<Boolean>update(
        name,
        rows -> {
          change(rows, claimed, step);
          return true;
        });
  }

  private void change(
      MetadataStore.Rows rows, PartitionRow claimed, UnaryOperator<PartitionRow> step) {
    PartitionRow before =
        rows.partition(row.generation(), claimed.token())
            .orElseThrow(() -> new FencedException(claimed.token(), member));
    PartitionRow after = step.apply(before);
    if (!after.equals(before)) {
      rows.put(after);
    }
  }

  private static PartitionRow applied(MetadataStore.Rows rows, PartitionRow row, Transition step) {
    PartitionRow after = Transition.apply(row, step);
    rows.put(after);
    return after;
  }

  /** What has become of a generation. */
  public enum Standing {
    /** It is the run's latest. */
    CURRENT,
    /** It was completed, and the run goes on with another one. */
    FOLLOWED,
    /** The run is not stored any more. */
    DELETED
  }

  /**
   * A run at one moment.
   *
   * @param member the process that looks
   * @param standing whether the generation is the run's
   * @param partitions the partitions of the generation by token
   * @param members the processes and the ends of their leases
   * @param now the store's time
   * @param order the order of positions
   */
  public record Snapshot(
      String member,
      Standing standing,
      Map<String, PartitionRow> partitions,
      Map<String, Instant> members,
      Instant now,
      Comparator<Position> order)
      implements Claims.Known {
    /**
     * Whether this process could claim {@code row}, as far as is known here, not considering
     * whether it reads it already.
     */
    public boolean isStartable(PartitionRow row) {
      return Claims.isStartable(row, this, order);
    }

    @Override
    public Optional<PartitionRow> find(String token) {
      return Optional.ofNullable(partitions.get(token));
    }

    @Override
    public Collection<PartitionRow> all() {
      return partitions.values();
    }

    @Override
    public Optional<Instant> leaseEnd(String process) {
      return Optional.ofNullable(members.get(process));
    }

    /** The processes that have a lease. */
    public Set<String> aliveMembers() {
      return members.keySet().stream()
          .filter(process -> !process.startsWith(ALONE) && isAlive(process))
          .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether everything of the generation is done; a following one begins only then. */
    public boolean isComplete() {
      return standing == Standing.FOLLOWED
          || (!partitions.isEmpty()
              && partitions.values().stream().allMatch(PartitionRow::isFinished));
    }
  }
}
