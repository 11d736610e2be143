package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.coordination.StoreClock;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.kv.rows.Expiries;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.kv.rows.StreamSpace;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a stream and its end by time.
 *
 * <p>The row that says that a stream exists also says whether it can expire, so that adding to one
 * that cannot reads no deadline. Who finds an expired stream clears it and begins another.
 */
final class StreamLife {
  private static final byte[] MORTAL = {StreamHead.FORMAT, 1};
  private static final byte[] AT_FIRST = StreamHead.bytes(StreamOptions.LENGTH_MAX_AT_FIRST);
  private static final byte[] IMMORTAL = {StreamHead.FORMAT, 0};

  private final String name;
  private final StreamSpace space;
  private final StoreClock clock;
  private final Expiries expiries;
  private final byte @Nullable [] lengthMax;
  private final @Nullable Duration timeToLive;
  private final boolean sliding;
  private final List<Key> looksAt;

  StreamLife(
      String name, StreamSpace space, StoreClock clock, StreamOptions options, Expiries expiries) {
    this.name = name;
    this.space = space;
    this.clock = clock;
    this.expiries = expiries;
    this.lengthMax = lengthMax(options);
    this.timeToLive = options.timeToLive().orElse(null);
    this.sliding = options.sliding();
    this.looksAt = List.of(space.life(), space.lengthMax());
  }

  /** The row that {@code options} ask for; null if they leave the length as it is. */
  private static byte @Nullable [] lengthMax(StreamOptions options) {
    if (options.keepsAll()) {
      return StreamHead.bytes(0);
    }
    OptionalLong length = options.lengthMax();
    return length.isPresent() ? StreamHead.bytes(length.getAsLong()) : null;
  }

  /**
   * Begins the stream unless it lives, and sets its length if this handle has one. For sinks, which
   * add nothing: what they have not seen is kept from then on as their handle says.
   */
  void begin(Transaction tx) {
    endIfOver(tx);
    if (tx.get(space.life()).isEmpty()) {
      create(tx);
    } else {
      setLength(tx, tx.snapshot().get(space.lengthMax()).orElse(null));
    }
  }

  private void setLength(Transaction tx, byte @Nullable [] known) {
    if (lengthMax != null && !Arrays.equals(lengthMax, known)) {
      tx.set(space.lengthMax(), lengthMax);
    }
  }

  /** Clears the stream if its time is over. For readers, who remember places before it begins. */
  void endIfOver(Transaction tx) {
    Optional<byte[]> life = tx.get(space.life());
    if (life.isPresent() && isOver(tx, life.get())) {
      tx.clear(space.all());
    }
  }

  /**
   * Does for the life of the stream what every added event does: begins it if need be, moves its
   * deadline, and sets its length if this handle has one. Conflicts only with the begin and the end
   * of a stream.
   */
  void prolong(Transaction tx) {
    Map<Key, byte[]> rows = tx.snapshot().getAll(looksAt);
    tx.addReadConflict(space.life());
    byte[] life = rows.get(space.life());
    if (life != null && isOver(tx, life)) {
      tx.clear(space.all());
      life = null;
    }
    if (life == null) {
      create(tx);
      return;
    }
    setLength(tx, rows.get(space.lengthMax()));
    if (timeToLive != null) {
      moveDeadline(tx, life, timeToLive);
    }
  }

  private boolean isOver(Transaction tx, byte[] life) {
    if (!Arrays.equals(life, MORTAL)) {
      return false;
    }
    Optional<byte[]> deadline = tx.snapshot().get(space.deadline());
    boolean over =
        deadline.isPresent() && StreamHead.number(deadline.get()) <= StreamHead.micros(clock.now());
    if (over) {
      tx.addReadConflict(space.deadline());
    }
    return over;
  }

  private void create(Transaction tx) {
    space.allButCursors().forEach(tx::clear);
    tx.set(space.life(), timeToLive == null ? IMMORTAL : MORTAL);
    tx.set(space.lengthMax(), lengthMax == null ? AT_FIRST : lengthMax);
    if (timeToLive != null) {
      setDeadline(tx, timeToLive);
    }
  }

  private void setDeadline(Transaction tx, Duration time) {
    Instant end = clock.now().plus(time);
    tx.set(space.deadline(), StreamHead.bytes(StreamHead.micros(end)));
    expiries.note(tx, Expiries.STREAM, name, end);
  }

  private void moveDeadline(Transaction tx, byte[] life, Duration time) {
    if (Arrays.equals(life, IMMORTAL)) {
      tx.set(space.life(), MORTAL);
      setDeadline(tx, time);
    } else if (sliding) {
      tx.mutate(MutationType.MAX, space.deadline(), deadline(time));
    }
  }

  private byte[] deadline(Duration time) {
    return StreamHead.bytes(StreamHead.micros(clock.now().plus(time)));
  }
}
