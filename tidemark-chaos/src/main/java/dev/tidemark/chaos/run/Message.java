package dev.tidemark.chaos.run;

import dev.tidemark.kv.Versionstamp;
import java.util.Optional;

/** One line that a child tells its parent. */
public sealed interface Message {
  /** A commit whose success its writer has seen. */
  record Acknowledged(int writer, long sequence, Versionstamp stamp) implements Message {}

  /** A commit whose result its writer did not learn, and which it will look for. */
  record Unknown() implements Message {}

  /** A database is served at {@code port} of the loopback address. */
  record Serving(int port) implements Message {}

  /** Commits that clients have asked a server about so far, since their reply was lost. */
  record Settled(long commits) implements Message {}

  /** The database is open, the writers start. */
  record Opened() implements Message {}

  /** All writers have been stopped by a failure of the medium. */
  record Stopped(String kind) implements Message {}

  /** Reads were tried after {@link Stopped}: the sum of all balances. */
  record Read(long sum) implements Message {}

  /** Commits succeed again. */
  record Resumed(String how) implements Message {}

  /** Indexes were built; {@code resumed} if an earlier process had begun. */
  record Built(boolean resumed) implements Message {}

  /**
   * Something that a member of a pool or of a sink has done or seen.
   *
   * @param what what it is about
   * @param name the event or the job
   * @param number the epoch of a job, otherwise 0
   */
  record Fact(What what, String name, long number) implements Message {
    /** Kinds of facts. */
    public enum What {
      /** An event is in the stream. */
      ADDED,
      /** The handler of a sink got an event. */
      DELIVERED,
      /** A pool has taken a job that runs until it is stopped. */
      DISPATCHED,
      /** A handler was told to start a job. */
      STARTED,
      /** A pool has taken a job that ends by itself. */
      QUEUED,
      /** A runner has done a job. */
      RAN,
      /** A job runs here now. */
      RUNNING,
      /** All that runs here has been told. */
      REPORTED
    }
  }

  /**
   * A member has asked whether the job {@code name} is still its own, and it was.
   *
   * @param epoch with which the member was given the job
   * @param nanos the time just before it asked, by the clock that all processes of a machine share
   */
  record Owned(String name, long epoch, long nanos) implements Message {}

  /** The writers of a run have stopped after {@code commits} commits. */
  record Written(long commits) implements Message {}

  /** Something that must not happen. */
  record Complaint(String text) implements Message {}

  /** This message as a line. */
  default String line() {
    return switch (this) {
      case Acknowledged(var writer, var sequence, var stamp) ->
          "A %d %d %d %d".formatted(writer, sequence, stamp.version(), stamp.batch());
      case Unknown() -> "UNKNOWN";
      case Serving(var port) -> "SERVING " + port;
      case Settled(var commits) -> "SETTLED " + commits;
      case Opened() -> "OPENED";
      case Stopped(var kind) -> "STOPPED " + kind;
      case Read(var sum) -> "READ " + sum;
      case Resumed(var how) -> "RESUMED " + how;
      case Built(var resumed) -> "BUILT " + resumed;
      case Fact(var what, var name, var number) -> "FACT %s %s %d".formatted(what, name, number);
      case Owned(var name, var epoch, var nanos) -> "OWNED %s %d %d".formatted(name, epoch, nanos);
      case Written(var commits) -> "WRITTEN " + commits;
      case Complaint(var text) -> "COMPLAINT " + text.replace('\n', ' ');
    };
  }

  /** The message in {@code line}; empty for a line that is none, such as one of the JVM's. */
  static Optional<Message> parse(String line) {
    int space = line.indexOf(' ');
    String word = space < 0 ? line : line.substring(0, space);
    String rest = line.substring(word.length()).strip();
    return switch (word) {
      case "A" -> Optional.of(acknowledged(rest));
      case "UNKNOWN" -> Optional.of(new Unknown());
      case "SERVING" -> Optional.of(new Serving(Integer.parseInt(rest)));
      case "SETTLED" -> Optional.of(new Settled(Long.parseLong(rest)));
      case "OPENED" -> Optional.of(new Opened());
      case "STOPPED" -> Optional.of(new Stopped(rest));
      case "READ" -> Optional.of(new Read(Long.parseLong(rest)));
      case "RESUMED" -> Optional.of(new Resumed(rest));
      case "BUILT" -> Optional.of(new Built(Boolean.parseBoolean(rest)));
      case "FACT" -> Optional.of(fact(rest));
      case "OWNED" -> Optional.of(owned(rest));
      case "WRITTEN" -> Optional.of(new Written(Long.parseLong(rest)));
      case "COMPLAINT" -> Optional.of(new Complaint(rest));
      default -> Optional.empty();
    };
  }

  private static Fact fact(String fields) {
    String[] field = fields.split(" ", -1);
    return new Fact(Fact.What.valueOf(field[0]), field[1], Long.parseLong(field[2]));
  }

  private static Owned owned(String fields) {
    String[] field = fields.split(" ", -1);
    return new Owned(field[0], Long.parseLong(field[1]), Long.parseLong(field[2]));
  }

  private static Acknowledged acknowledged(String fields) {
    String[] field = fields.split(" ", -1);
    return new Acknowledged(
        Integer.parseInt(field[0]),
        Long.parseLong(field[1]),
        Versionstamp.of(Long.parseLong(field[2]), Integer.parseInt(field[3]), 0));
  }
}
