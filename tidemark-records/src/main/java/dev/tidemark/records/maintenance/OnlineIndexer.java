package dev.tidemark.records.maintenance;

import dev.tidemark.records.IndexStateException;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.build.IndexBuild;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds indexes while programs read and write the records.
 *
 * <p>Each record reaches each index exactly once, whatever writers do meanwhile. A build is many
 * transactions, each of which indexes some records and records its range. When a build ends early,
 * by {@link #close}, an interrupt, a failure or the end of the process, the next one resumes there.
 * Several programs may build the same indexes at the same time; they share the work.
 */
public final class OnlineIndexer implements AutoCloseable {
  private final RecordSpace space;
  private final BuildOptions options;
  private final RecordType<?> type;
  private final AtomicReference<@Nullable IndexBuild> running = new AtomicReference<>();
  private volatile boolean closed;

  private OnlineIndexer(RecordSpace space, BuildOptions options, RecordType<?> type) {
    this.space = space;
    this.options = options;
    this.type = type;
  }

  /**
   * An indexer for indexes of {@code space}: {@code OnlineIndexer.of(space, o ->
   * o.withIndexes("user_by_city"))}.
   *
   * @throws IllegalArgumentException if no indexes are named, one of them is not in the schema, or
   *     they are of several types
   */
  public static OnlineIndexer of(RecordSpace space, UnaryOperator<BuildOptions> change) {
    BuildOptions options = change.apply(BuildOptions.DEFAULTS);
    if (options.indexes().isEmpty()) {
      throw new IllegalArgumentException(
          "An OnlineIndexer was given no index to build; name one or more with"
              + " BuildOptions.withIndexes");
    }
    List<String> types =
        options.indexes().stream().map(index -> typeOf(space, index)).distinct().toList();
    if (types.size() != 1) {
      throw new IllegalArgumentException(
          "The indexes %s are of the types %s; one build takes indexes of one type"
              .formatted(options.indexes(), types));
    }
    return new OnlineIndexer(space, options, space.schema().type(types.getFirst()).orElseThrow());
  }

  private static String typeOf(RecordSpace space, String index) {
    return space
        .schema()
        .index(index)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The schema has no index '%s'; it has %s"
                        .formatted(
                            index,
                            space.schema().indexes().stream().map(IndexSpec::name).toList())))
        .type();
  }

  /**
   * Builds the indexes and makes them readable. A unique index with values that several records
   * share becomes {@linkplain IndexState#READABLE_UNIQUE_PENDING pending}; see {@link
   * Indexes#violations}. A readable index stays as it is, unless it is to be built {@linkplain
   * BuildOptions.Start#ANEW anew}.
   *
   * @throws CancellationException if {@link #close} was called
   * @throws dev.tidemark.kv.InterruptedOperationException if the thread was interrupted
   * @throws IndexStateException if one of the indexes was disabled meanwhile
   * @throws dev.tidemark.kv.DatabaseException if a batch failed too often; the progress is kept
   */
  public BuildProgress build() {
    IndexBuild build = new IndexBuild(Bridge.internals(space), type, options);
    if (!running.compareAndSet(null, build)) {
      throw new IllegalStateException(
          "This indexer is building already; make another one to build twice at a time");
    }
    try {
      if (closed) {
        build.cancel(cancelled());
      }
      return build.run();
    } finally {
      running.set(null);
    }
  }

  /**
   * The progress of the build: of this indexer while it builds, otherwise the stored progress, so
   * that a program sees a build that runs in another one. Only the numbers of scanned and of all
   * records are stored; rates, times and attempts are known where the build runs.
   */
  public BuildProgress progress() {
    IndexBuild build = running.get();
    return build != null
        ? build.progress()
        : new IndexBuild(Bridge.internals(space), type, options).storedProgress();
  }

  private CancellationException cancelled() {
    return new CancellationException(
        "The build of %s was closed; another one goes on from here".formatted(options.indexes()));
  }

  /** Ends a running build, which another one can resume. Idempotent; from any thread. */
  @Override
  public void close() {
    closed = true;
    IndexBuild build = running.get();
    if (build != null) {
      build.cancel(cancelled());
    }
  }
}
