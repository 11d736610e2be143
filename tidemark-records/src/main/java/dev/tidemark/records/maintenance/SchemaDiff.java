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
 * The changes of a store that a program with another schema would make by opening it, with their
 * costs. Computing it writes nothing.
 *
 * @param from the schema version of the store
 * @param to the schema version of the program
 * @param changes the changes; none if the schemas are the same
 */
public record SchemaDiff(int from, int to, List<Change> changes) {
  /** Copies the list. */
  public SchemaDiff {
    changes = List.copyOf(changes);
  }

  /** The kind of a change. */
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
    /** The rule of expiry was added, changed or removed. */
    EXPIRY_CHANGED,
    /** There is a new index, which has to be built. */
    INDEX_ADDED,
    /** An index is redefined. Its entries are erased, and it has to be built. */
    INDEX_REDEFINED,
    /** An index need not be unique any more. It stays as it is. */
    INDEX_RELAXED,
    /** An index is gone, and its entries are erased. */
    INDEX_REMOVED,
    /** There is a new change stream. It records changes from then on. */
    STREAM_ADDED,
    /** A change stream records something else from then on. */
    STREAM_CHANGED,
    /** A change stream is no longer declared. It stays in the store until it is removed there. */
    STREAM_KEPT,
    /** A change that stored records or indexes do not survive: the store refuses to open. */
    REFUSED
  }

  /**
   * One change.
   *
   * @param kind its kind
   * @param subject the type, field or index; for a refusal, the name of the rule
   * @param detail the effect, in a sentence
   * @param build the build that it needs
   */
  public record Change(Kind kind, String subject, String detail, Optional<Build> build) {}

  /**
   * The build of an index.
   *
   * @param records the number of records to read
   * @param certainty the accuracy of that number
   * @param time the time that an {@link OnlineIndexer} needs at 100,000 records a second
   * @param atOnce whether the index is built when the store is opened, because there are few
   *     records; otherwise it is disabled until an indexer has built it
   */
  public record Build(
      long records, BuildProgress.Certainty certainty, Duration time, boolean atOnce) {}

  /** The difference between two schemas, without the costs of builds. */
  public static SchemaDiff between(Schema stored, Schema wanted) {
    return SchemaComparison.of(stored, wanted, SchemaCosts.UNKNOWN);
  }

  /** The changes of {@code space} if a program opened it with {@code wanted}. */
  public static SchemaDiff of(RecordSpace space, Schema wanted) {
    return SchemaComparison.of(
        space.schema(), wanted, SchemaCosts.of(Bridge.internals(space), wanted));
  }

  /** Whether a store would open with the wanted schema. */
  public boolean isAccepted() {
    return changes.stream().noneMatch(change -> change.kind() == Kind.REFUSED);
  }

  /**
   * A line for each change: its kind, its subject, its effect, and the build, such as {@code ":
   * about 5,000,000 records, 0:00:50"}.
   */
  public List<String> lines() {
    return changes.stream().map(SchemaComparison::line).toList();
  }
}
