package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.redis.RedisOptions;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Commands that do not block, over one connection for all threads. A command that gets no answer is
 * sent again until {@link RedisOptions#outageMax} has passed, so it must do no harm twice.
 */
public final class Link implements AutoCloseable {
  private static final Duration PAUSE_MIN = Duration.ofMillis(5);
  private static final Duration PAUSE_MAX = Duration.ofMillis(200);
  private static final Duration REMEMBERED_MIN = Duration.ofMinutes(5);

  private final Session session;
  private final RedisOptions options;
  private final TimeSource time;
  private final Operations operations = new Operations();

  /** How long the server remembers an operation, as it stands behind its number. */
  private final String rememberedFor;

  public Link(Session session, RedisOptions options, TimeSource time) {
    this.session = session;
    this.options = options;
    this.time = time;
    this.rememberedFor = ":" + remembered(options).toMillis();
  }

  /** Sends a command. */
  @FunctionalInterface
  public interface Command<T>
      extends Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> {}

  /** The answer to a command that can be repeated. */
  public <T> T call(Command<T> command) {
    return patiently(() -> session.ask(options.commandTimeout(), command));
  }

  /** What a script answers that can be repeated. */
  public List<Object> run(Script script, List<String> keys, List<byte[]> arguments) {
    byte[][] keyBytes = bytes(keys);
    byte[][] argumentBytes = arguments.toArray(byte[][]::new);
    return patiently(() -> evaluate(script, keyBytes, argumentBytes));
  }

  /**
   * The same at the first attempt or not at all.
   *
   * @throws RedisException if that fails
   */
  public List<Object> runNow(Script script, List<String> keys, List<byte[]> arguments) {
    return evaluate(script, bytes(keys), arguments.toArray(byte[][]::new));
  }

  private static byte[][] bytes(List<String> keys) {
    byte[][] bytes = new byte[keys.size()][];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = RedisNames.bytes(keys.get(i));
    }
    return bytes;
  }

  /**
   * What a script of {@link Script#once} answers. It is carried out once, however often it has to
   * be sent.
   *
   * @param keys without the memory, which is beside the first one
   * @param arguments without the number
   */
  public List<Object> runOnce(Script script, List<String> keys, List<byte[]> arguments) {
    return operations.withSlot(slot -> runOnce(slot, script, keys, arguments));
  }

  private List<Object> runOnce(
      Operations.Slot slot, Script script, List<String> keys, List<byte[]> arguments) {
    List<byte[]> all = new ArrayList<>(arguments.size() + 1);
    all.add(RedisNames.bytes(slot.next() + rememberedFor));
    all.addAll(arguments);
    List<String> allKeys = new ArrayList<>(keys.size() + 1);
    allKeys.addAll(keys);
    allKeys.add(RedisNames.sibling(keys.getFirst(), "op:" + slot.name()));
    return run(script, allKeys, all);
  }

  /** Longer than an operation may be repeated. */
  private static Duration remembered(RedisOptions options) {
    Duration outages = options.outageMax().multipliedBy(2);
    return outages.compareTo(REMEMBERED_MIN) > 0 ? outages : REMEMBERED_MIN;
  }

  private List<Object> evaluate(Script script, byte[][] keys, byte[][] arguments) {
    try {
      return session.ask(
          options.commandTimeout(),
          commands -> commands.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments));
    } catch (RedisNoScriptException unknown) {
      return session.ask(
          options.commandTimeout(),
          commands -> commands.eval(script.text(), ScriptOutputType.MULTI, keys, arguments));
    }
  }

  /**
   * Repeats what failed in passing, for as long as an outage may take.
   *
   * @throws PulseException if it takes longer, or the server refuses; with that as its cause
   */
  public <T> T patiently(Supplier<T> attempt) {
    long deadline = time.nanos() + options.outageMax().toNanos();
    for (Duration pause = PAUSE_MIN; ; pause = longer(pause)) {
      try {
        return attempt.get();
      } catch (RedisException failure) {
        if (session.isClosed()) {
          throw new IllegalStateException("The connection to Redis is closed", failure);
        }
        if (!Failure.passes(failure)) {
          throw refusal(failure);
        }
        if (time.nanos() + pause.toNanos() > deadline) {
          throw outage(failure);
        }
        pause(pause);
      }
    }
  }

  private PulseException refusal(RedisException failure) {
    return new PulseException(
        "Redis at %s refuses what it was asked: %s. %s"
            .formatted(options.where(), Failure.reason(failure), Failure.remedy(failure)),
        failure);
  }

  private PulseException outage(RedisException failure) {
    return new PulseException(
        "Redis at %s has not answered for %s: %s. What was asked may or may not have happened; check the server, or raise outageMax"
            .formatted(options.where(), options.outageMax(), Failure.reason(failure)),
        failure);
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
  }

  /** Lets this thread wait. */
  public void pause(Duration pause) {
    try {
      time.sleep(pause);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for Redis", interrupt);
    }
  }

  public RedisOptions options() {
    return options;
  }

  public TimeSource time() {
    return time;
  }

  @Override
  public void close() {
    session.close();
  }
}
