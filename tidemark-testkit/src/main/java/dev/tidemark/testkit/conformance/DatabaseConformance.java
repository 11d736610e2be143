package dev.tidemark.testkit.conformance;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import org.junit.jupiter.api.Nested;

/**
 * The promises of {@code dev.tidemark.kv} as tests that every engine passes.
 *
 * <p>An engine's test class extends this one and says how a database is opened; the promises come
 * as nested classes, one for each subject:
 *
 * {@snippet :
 * class InMemoryConformanceTest extends DatabaseConformance {
 *   @Override
 *   protected Database open(Limits limits, TimeSource time) {
 *     return EmbeddedDatabase.inMemory(o -> o.withLimits(limits).withTime(time));
 *   }
 * }
 * }
 */
public abstract class DatabaseConformance {
  /** For engines that state their own way to open. */
  protected DatabaseConformance() {}

  /**
   * Opens an empty database of its own for one test, which closes it. A test may open several. An
   * engine that does not take limits or a clock ignores the parameter and says so below.
   */
  protected abstract Database open(Limits limits, TimeSource time);

  /** Whether the engine measures its read window and timeouts on the clock it was opened with. */
  protected boolean takesClock() {
    return true;
  }

  /** Whether the engine keeps the limits it was opened with; otherwise they are the defaults. */
  protected boolean takesLimits() {
    return true;
  }

  /** Whether sizes and split points count what was committed just now, roughly. */
  protected boolean estimatesAtOnce() {
    return true;
  }

  /**
   * Whether the engine is a FoundationDB cluster, or acts like one, in the few cases in which the
   * promises leave it free to.
   */
  protected boolean actsLikeACluster() {
    return false;
  }

  /** Single reads, and the version that a transaction reads. */
  @Nested
  class Reads extends ReadConformance {
    Reads() {
      super(DatabaseConformance.this);
    }
  }

  /** Keys by position. */
  @Nested
  class Selectors extends SelectorConformance {
    Selectors() {
      super(DatabaseConformance.this);
    }
  }

  /** Ranges. */
  @Nested
  class Scans extends ScanConformance {
    Scans() {
      super(DatabaseConformance.this);
    }
  }

  /** A transaction's own writes in its reads. */
  @Nested
  class OwnWrites extends OwnWriteConformance {
    OwnWrites() {
      super(DatabaseConformance.this);
    }
  }

  /** Atomic operations. */
  @Nested
  class Mutations extends MutationConformance {
    Mutations() {
      super(DatabaseConformance.this);
    }
  }

  /** Versionstamps and the metadata version. */
  @Nested
  class Versionstamps extends VersionstampConformance {
    Versionstamps() {
      super(DatabaseConformance.this);
    }
  }

  /** What conflicts, and what does not. */
  @Nested
  class Conflicts extends ConflictConformance {
    Conflicts() {
      super(DatabaseConformance.this);
    }
  }

  /** What a scan, a selector or a limited scan conflicts with. */
  @Nested
  class RangeConflicts extends RangeConflictConformance {
    RangeConflicts() {
      super(DatabaseConformance.this);
    }
  }

  /** Writes that are excluded from the write conflicts. */
  @Nested
  class QuietWrites extends QuietWriteConformance {
    QuietWrites() {
      super(DatabaseConformance.this);
    }
  }

  /** Transactions with a read version that was set. */
  @Nested
  class ReadVersions extends ReadVersionConformance {
    ReadVersions() {
      super(DatabaseConformance.this);
    }
  }

  /** What layers attach to a transaction, and what they do before its commit. */
  @Nested
  class CommitActions extends CommitActionConformance {
    CommitActions() {
      super(DatabaseConformance.this);
    }
  }

  /** Watches. */
  @Nested
  class Watches extends WatchConformance {
    Watches() {
      super(DatabaseConformance.this);
    }
  }

  /** Sizes and legal keys. */
  @Nested
  class SizeLimits extends LimitConformance {
    SizeLimits() {
      super(DatabaseConformance.this);
    }
  }

  /** The read window and timeouts. */
  @Nested
  class Times extends TimeConformance {
    Times() {
      super(DatabaseConformance.this);
    }
  }

  /** {@code transact}, {@code run} and {@code read}. */
  @Nested
  class Retries extends RetryConformance {
    Retries() {
      super(DatabaseConformance.this);
    }
  }

  /** Ends of transactions, watches and databases. */
  @Nested
  class Lifecycles extends LifecycleConformance {
    Lifecycles() {
      super(DatabaseConformance.this);
    }
  }

  /** Random programs against a model. */
  @Nested
  class Programs extends ProgramConformance {
    Programs() {
      super(DatabaseConformance.this);
    }
  }
}
