package dev.tidemark.changes.spanner;

import com.google.cloud.spanner.SpannerException;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.ChangeSourceException.Kind;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a failure of a query means. Spanner uses one code for several things; the text decides. */
final class Failures {
  private static final Pattern EARLIEST =
      Pattern.compile("earliest read timestamp: ?([0-9T:.+Z-]+?)[.,]?(?: |$)");

  private final String stream;

  Failures(String stream) {
    this.stream = stream;
  }

  ChangeSourceException translated(SpannerException failure) {
    String text = String.valueOf(failure.getMessage());
    return switch (failure.getErrorCode()) {
      case OUT_OF_RANGE -> outOfRange(failure, text);
      case UNAVAILABLE, RESOURCE_EXHAUSTED, CANCELLED ->
          with(Kind.UNAVAILABLE, "Spanner cannot be reached now", failure);
      case ABORTED, INTERNAL, UNKNOWN -> with(Kind.ABORTED, "Spanner gave the query up", failure);
      case DEADLINE_EXCEEDED -> with(Kind.DEADLINE_EXCEEDED, "The query took too long", failure);
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          with(
              Kind.PERMISSION_DENIED,
              "The program may not read the stream; grant it spanner.databases.select, or the role SELECT on the stream and EXECUTE on its read function",
              failure);
      case NOT_FOUND -> with(Kind.GONE, "The database or the stream does not exist", failure);
      default -> invalid(failure, text);
    };
  }

  private ChangeSourceException outOfRange(SpannerException failure, String text) {
    if (text.contains("heartbeat_milliseconds")) {
      return with(Kind.INVALID_ARGUMENT, "Spanner refuses the heartbeat interval", failure);
    }
    if (text.contains("too far in the past") || text.contains("no longer valid")) {
      return with(Kind.TOO_OLD, "Changes were removed before they were read", failure);
    }
    if (text.contains("too far in the future")) {
      return with(
          Kind.INVALID_ARGUMENT,
          "The start lies in the future; compare this machine's clock with Spanner's",
          failure);
    }
    return invalid(failure, text);
  }

  private ChangeSourceException invalid(SpannerException failure, String text) {
    if (text.contains("invalid for the partition")) {
      return with(Kind.INVALID_POSITION, "The position is outside its partition", failure);
    }
    if (text.contains("unction not found") || text.contains("does not exist")) {
      return with(Kind.GONE, "The database has no such stream; check its name", failure);
    }
    return with(Kind.INVALID_ARGUMENT, "Spanner refuses the query", failure);
  }

  private ChangeSourceException with(Kind kind, String what, SpannerException failure) {
    return new ChangeSourceException(
        kind, "%s (change stream %s): %s".formatted(what, stream, failure.getMessage()), failure);
  }

  /** The earliest time that can be read, if the text of a failure names it. */
  static Optional<Instant> earliest(Throwable failure) {
    Matcher found = EARLIEST.matcher(String.valueOf(failure.getMessage()));
    if (!found.find()) {
      return Optional.empty();
    }
    try {
      return Optional.of(JsonValues.instant(found.group(1)));
    } catch (DateTimeParseException unknown) {
      return Optional.empty();
    }
  }
}
