package dev.tidemark.changes;

import dev.tidemark.kv.TidemarkException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A failure of a {@link ChangeSource}. */
public final class ChangeSourceException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final transient @Nullable Position earliest;

  /** What failed, which decides what a reader does. */
  public enum Kind {
    /** The source cannot be reached now. */
    UNAVAILABLE,
    /** The source gave the query up; it can be asked again. */
    ABORTED,
    /** The query took too long; it can be asked again. */
    DEADLINE_EXCEEDED,
    /** The position is older than what the source keeps: changes are lost to this reader. */
    TOO_OLD,
    /** The position does not belong to the partition. */
    INVALID_POSITION,
    /** The stream or its store does not exist any more. */
    GONE,
    /** The program may not read the stream. */
    PERMISSION_DENIED,
    /** The query itself is wrong, such as an unknown token. */
    INVALID_ARGUMENT,
    /** The source returned something that cannot be understood, or broke its own rules. */
    MALFORMED
  }

  /** A failure of this kind. */
  public ChangeSourceException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.earliest = null;
  }

  private ChangeSourceException(Position earliest, String message) {
    super(message);
    this.kind = Kind.TOO_OLD;
    this.earliest = earliest;
  }

  /** The position asked for is gone; {@code earliest} is the first one that is still there. */
  public static ChangeSourceException tooOld(Position earliest, String message) {
    return new ChangeSourceException(earliest, message);
  }

  /** What failed. */
  public Kind kind() {
    return kind;
  }

  /** The first position that can be read, if the one asked for is too old. */
  public Optional<Position> earliest() {
    return Optional.ofNullable(earliest);
  }
}
