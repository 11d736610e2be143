package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.redis.internal.link.Failure;
import dev.tidemark.pulse.redis.internal.link.Link;
import dev.tidemark.pulse.redis.internal.link.ReadSessions;
import dev.tidemark.pulse.redis.internal.link.Session;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Blocking reads, over a connection of their own: every other command would wait behind them. Used
 * by one thread, closed by any.
 */
final class BlockingReads implements AutoCloseable {
  /**
   * A read is sent again after this time at the latest, so that it notices that the stream was
   * created again.
   */
  private static final Duration SLICE = Duration.ofSeconds(1);

  /** The reply may be late; giving up too early would leave its events assigned to nobody. */
  private static final Duration MARGIN = Duration.ofSeconds(2);

  /** What the connection is used for. */
  private enum Use {
    /** Nothing: everything that was asked has been answered. */
    NONE,
    /** A read, or one that was given up and may still be answered. */
    READ,
    CLOSED
  }

  private final Link link;
  private final ReadSessions sessions;
  private final Session session;
  private final AtomicReference<Use> use = new AtomicReference<>(Use.NONE);

  /** Whether the server has answered what it was sent last. Used by the thread that reads. */
  private boolean answered = true;

  private BlockingReads(Link link, ReadSessions sessions) {
    this.link = link;
    this.sessions = sessions;
    this.session = sessions.open();
  }

  /** Connects, so that the first read need not. */
  static BlockingReads open(ReadSessions sessions, Link link) {
    return new BlockingReads(link, sessions);
  }

  /**
   * A read of one stream.
   *
   * @param stream its name
   * @param type the command
   * @param arguments of it, with the milliseconds that it waits at most; 0 if it does not wait
   * @param sentBehind sends commands over the same connection that the server answers right after
   *     the read
   */
  record Read(
      String stream,
      CommandType type,
      LongFunction<CommandArgs<byte[], byte[]>> arguments,
      Consumer<RedisClusterAsyncCommands<byte[], byte[]>> sentBehind) {
    private RedisFuture<List<StreamEntry>> send(
        RedisClusterAsyncCommands<byte[], byte[]> commands, long blockMillis) {
      RedisFuture<List<StreamEntry>> entries =
          commands.dispatch(type, new EntriesOutput(stream), arguments.apply(blockMillis));
      sentBehind.accept(commands);
      return entries;
    }
  }

  /** What follows a failure. */
  enum Next {
    /** The read goes on: what was wrong is mended. */
    AGAIN,
    /** The read ends with nothing. */
    END,
    /** The read is sent again if the failure passes, for as long as an outage may take. */
    PATIENCE
  }

  /** Handles a failure and says what follows. */
  @FunctionalInterface
  interface Remedy {
    Next cure(RedisException failure);
  }

  /** The first entries that {@code read} finds within {@code block}; none if this is closed. */
  List<StreamEntry> read(Duration block, Read read, Remedy remedy) {
    if (!begin()) {
      return List.of();
    }
    List<StreamEntry> found = readWithin(block, read, remedy);
    use.compareAndSet(Use.READ, Use.NONE);
    return found;
  }

  private boolean begin() {
    return use.getAndUpdate(now -> now == Use.CLOSED ? now : Use.READ) != Use.CLOSED;
  }

  private List<StreamEntry> readWithin(Duration block, Read read, Remedy remedy) {
    TimeSource time = link.time();
    long deadline = time.nanos() + block.toNanos();
    while (true) {
      Duration left = Duration.ofNanos(Math.max(0, deadline - time.nanos()));
      Slice slice = slice(left, read, remedy);
      if (slice.isLast() || isClosed() || time.nanos() >= deadline) {
        return slice.found();
      }
    }
  }

  /** What a part of a read found, and whether there is no further part. */
  private record Slice(List<StreamEntry> found, boolean isLast) {}

  private Slice slice(Duration left, Read read, Remedy remedy) {
    Duration block = left.compareTo(SLICE) < 0 ? left : SLICE;
    long millis = block.isZero() ? 0 : Math.max(1, block.toMillis());
    return link.patiently(
        () -> {
          answered = false;
          try {
            List<StreamEntry> found =
                session.ask(
                    Duration.ofMillis(millis).plus(MARGIN),
                    commands -> read.send(commands, millis));
            answered = true;
            return new Slice(found, !found.isEmpty());
          } catch (RedisException failure) {
            answered = Failure.isAnswer(failure);
            Next next = isClosed() ? Next.END : remedy.cure(failure);
            if (next == Next.PATIENCE) {
              throw failure;
            }
            return new Slice(List.of(), next == Next.END);
          }
        });
  }

  /**
   * Adds that a read waits {@code millis}, and nothing for 0: to Redis that would be for ever. A
   * server that is idle looks at the ends of waits ten times a second only, so a wait of 1 ms can
   * take 100.
   */
  static void addBlock(CommandArgs<byte[], byte[]> arguments, long millis) {
    if (millis > 0) {
      arguments.add("BLOCK").add(millis);
    }
  }

  /**
   * Whether the server has answered the last read, so that no more comes of it. For the thread that
   * reads.
   */
  boolean isAnswered() {
    return answered;
  }

  boolean isClosed() {
    return use.get() == Use.CLOSED;
  }

  /** Ends a read at once; what the server has sent meanwhile is lost. */
  @Override
  public void close() {
    switch (use.getAndSet(Use.CLOSED)) {
      case NONE -> sessions.giveBack(session);
      case READ -> session.close();
      case CLOSED -> {}
    }
  }
}
