package dev.tidemark.records.maintenance;

import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.opening.SchemaComparison;
import dev.tidemark.records.internal.opening.SchemaCosts;
import dev.tidemark.records.schema.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What would change for a store if a program with another schema opened it, and what that costs.
 * Nothing is written to find out.
 *
 * @param from the version that the store has
 * @param to the version that the program has
 * @param changes the changes; none if the schemas are the same
 */
public record SchemaDiff(int from, int to, List<Change> changes) {
  /** Copies the list. */
  public SchemaDiff {
    changes = List.copyOf(changes);
  }

  /** What a change is. */
  public enum Kind {
    /** There is a new record type. */
    TYPE_ADDED,
    /** A type keeps versions from now on. */
    VERSIONS_ADDED,
    /** There is a new field. Stored records lack it and are not rewritten. */
    FIELD_ADDED,
    /** A field is gone, and its number is reserved. Stored values stay and are not read. */
    FIELD_REMOVED,
    /** A field has another name. Numbers count, so nothing is rewritten. */
    FIELD_RENAMED,
    /** A field takes larger numbers, more constants or null. */
    FIELD_WIDENED,
    /** A field has another default. */
    DEFAULT_CHANGED,
    /** Records expire at another time, or now or no longer at all. */
    EXPIRY_CHANGED,
    /** There is a new index, which has to be built. */
    INDEX_ADDED,
    /** An index is defined in another way. Its entries are erased, and it has to be built. */
    INDEX_REDEFINED,
    /** An index need not be unique any more. It stays as it is. */
    INDEX_RELAXED,
    /** An index is gone, and its entries are erased. */
    INDEX_REMOVED,
    /** There is a new change stream. It records changes from then on. */
    STREAM_ADDED,
    /** A change stream records something else from then on. */
    STREAM_CHANGED,
    /** A change stream is no longer declared. The store keeps it until it is removed there. */
    STREAM_KEPT,
    /** A change that stored records or indexes do not survive: the store would not open. */
    REFUSED
  }

  /**
   * One change.
   *
   * @param kind what it is
   * @param subject the type, field or index; the name of the rule for what is refused
   * @param detail what becomes of it, in a sentence
   * @param build what there is to build
   */
  public record Change(Kind kind, String subject, String detail, Optional<Build> build) {}

  /**
   * The build of an index.
   *
   * @param records how many records have to be read
   * @param certainty what that number is worth
   * @param time how long an {@link OnlineIndexer} needs for them, at 100,000 a second
   * @param atOnce whether they are so few that the index is built while the store is opened;
   *     otherwise it is disabled until an indexer has built it
   */
  public record Build(
      long records, BuildProgress.Certainty certainty, Duration time, boolean atOnce) {}

  /** The difference between two schemas; of what there is to build only the indexes are known. */
  public static SchemaDiff between(Schema stored, Schema wanted) {
    return SchemaComparison.of(stored, wanted, SchemaCosts.UNKNOWN);
  }

  /** What would become of {@code space} if it was opened with {@code wanted}. */
  public static SchemaDiff of(RecordSpace space, Schema wanted) {
    return SchemaComparison.of(
        space.schema(), wanted, SchemaCosts.of(Bridge.internals(space), wanted));
  }

  /** Whether a store would open with the wanted schema. */
  public boolean isAccepted() {
    return changes.stream().noneMatch(change -> change.kind() == Kind.REFUSED);
  }

  /**
   * A line for each change: its kind and its subject in columns, what becomes of it, and what there
   * is to build, such as {@code ": about 5,000,000 records, 0:00:50"}.
   */
  public List<String> lines() {
    return changes.stream().map(SchemaComparison::line).toList();
  }
}
