package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.PositionKeeper;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.ReaderStatistics;
import dev.tidemark.changes.internal.delivery.Call;
import dev.tidemark.changes.internal.delivery.Gate;
import dev.tidemark.changes.internal.delivery.Outlet;
import dev.tidemark.changes.internal.delivery.Outlets;
import dev.tidemark.changes.internal.partition.Run;
import dev.tidemark.changes.internal.partition.TokenName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A reader that was opened: its run, its engine and its threads. */
public final class ReaderParts {
  private final ChangeSource source;
  private final Engine engine;
  private final ReaderLoops loops;

  private ReaderParts(ChangeSource source, Engine engine, ReaderLoops loops) {
    this.source = source;
    this.engine = engine;
    this.loops = loops;
  }

  /** Registers or joins the run, and puts the parts together. */
  public static ReaderParts open(
      ChangeSource source,
      MetadataStore store,
      ReaderOptions options,
      String member,
      Gate gate,
      PositionKeeper keeper,
      Call call,
      int most) {
    Optional<Position> end = options.end().map(source::until);
    Run run = Run.open(store, source, options.run(), member, options.start().in(source), end);
    ReentrantLock cut = new ReentrantLock();
    Crew crew = new Crew();
    AtomicReference<@Nullable ReaderLoops> loops = new AtomicReference<>();
    Outlet outlet =
        Outlets.of(
            options.order(),
            crew,
            call,
            gate,
            failure -> fail(loops, failure),
            source::compare,
            most,
            options.inFlightPerPartition(),
            cut);
    Engine engine =
        new Engine(
            source,
            run,
            options,
            outlet,
            keeper,
            () -> ThreadLocalRandom.current().nextDouble(),
            failure -> fail(loops, failure),
            cut);
    ReaderLoops made = new ReaderLoops(engine, gate, crew);
    loops.set(made);
    return new ReaderParts(source, engine, made);
  }

  private static void fail(AtomicReference<@Nullable ReaderLoops> loops, Throwable failure) {
    ReaderLoops made = loops.get();
    if (made != null) {
      made.fail(failure);
    }
  }

  /** Starts the threads. */
  public void start() {
    loops.start();
  }

  /** The threads. */
  public ReaderLoops loops() {
    return loops;
  }

  /** The run. */
  public Run run() {
    return engine.run();
  }

  /** Gaps as texts. */
  public List<String> gaps() {
    return engine.gaps().stream()
        .map(gap -> "partition %s %s".formatted(TokenName.of(gap.token()), gap.span(source)))
        .toList();
  }

  /** Numbers for people and meters. */
  public ReaderStatistics statistics() {
    return new StatisticsView(source, engine).take();
  }
}
