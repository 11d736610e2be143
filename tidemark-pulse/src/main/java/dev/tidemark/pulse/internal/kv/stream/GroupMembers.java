package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.coordination.StoreClock;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.internal.kv.rows.EventIds;
import dev.tidemark.pulse.internal.kv.rows.GroupSpace;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.spi.SinkTerms;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/*
 * Each instance has a row that says until when it counts as alive, and renews it while events are
 * asked for. Who joins with other terms reads all of these rows, with a conflict; so it cannot
 * overlook one that is written at the same time. An instance that was silent for too long finds
 * the terms changed when it shows itself again, before it claims anything.
 */

/** The instances of a sink that live, and what they have agreed on. */
final class GroupMembers {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");
  private static final byte FORMAT = 1;
  private static final int TERMS_AT = 1 + Long.BYTES;
  private static final int ALIVE_GRACES = 2;
  private static final int FORGOTTEN_MAX = 100;
  private static final Duration LEAVE_WITHIN = Duration.ofSeconds(2);

  private final Database database;
  private final StoreClock clock;
  private final String stream;
  private final String sink;
  private final GroupSpace group;
  private final UUID consumer;
  private final SinkTerms terms;
  private final byte[] settings;

  private volatile boolean left;

  GroupMembers(
      Database database,
      StoreClock clock,
      String stream,
      String sink,
      GroupSpace group,
      UUID consumer,
      SinkOptions options) {
    this.database = database;
    this.clock = clock;
    this.stream = stream;
    this.sink = sink;
    this.group = group;
    this.consumer = consumer;
    this.terms = SinkTerms.of(options);
    byte[] packed = terms.packed();
    this.settings =
        ByteBuffer.allocate(TERMS_AT + packed.length)
            .put(FORMAT)
            .putLong(options.ackGrace().toNanos())
            .put(packed)
            .array();
  }

  /** Makes the group begin behind {@code position} if it is new; checks what it shares if not. */
  void join(Transaction tx, EventId position) {
    Optional<byte[]> known = tx.get(group.settings());
    if (known.isPresent()) {
      agree(tx, known.get());
    } else {
      create(tx, position);
    }
  }

  void create(Transaction tx, EventId position) {
    tx.set(group.settings(), settings);
    tx.set(group.cursor(), EventIds.pack(position));
    showLife(tx);
  }

  private void agree(Transaction tx, byte[] known) {
    if (!Arrays.equals(known, settings)) {
      if (othersLive(tx)) {
        throw terms.refused(sink, stream, termsIn(known));
      }
      tx.set(group.settings(), settings);
    }
    showLife(tx);
  }

  private static SinkTerms termsIn(byte[] known) {
    Duration grace = Duration.ofNanos(ByteBuffer.wrap(known).getLong(1));
    return SinkTerms.of(grace, Arrays.copyOfRange(known, TERMS_AT, known.length));
  }

  private boolean othersLive(Transaction tx) {
    long now = StreamHead.micros(clock.now());
    return tx.scan(group.alive()).list().stream()
        .anyMatch(row -> !row.key().equals(group.alive(consumer)) && lives(row, now));
  }

  private static boolean lives(KeyValue row, long now) {
    return StreamHead.number(row.value()) > now;
  }

  private void showLife(Transaction tx) {
    Duration time = terms.ackGrace().multipliedBy(ALIVE_GRACES);
    tx.set(group.alive(consumer), StreamHead.bytes(StreamHead.micros(clock.now().plus(time))));
  }

  /** Shows that this instance is alive, and forgets those that are not. */
  void keepAlive() {
    database.run(
        tx -> {
          Optional<byte[]> known = tx.get(group.settings());
          tx.addReadConflict(group.alive(consumer));
          // Without settings the stream has ended; claims of the next stream start afresh.
          if (known.isPresent() && !left) {
            agree(tx, known.get());
            forgetDead(tx);
          }
        });
  }

  private void forgetDead(Transaction tx) {
    long now = StreamHead.micros(clock.now());
    for (KeyValue row : tx.snapshot().scan(group.alive()).limit(FORGOTTEN_MAX)) {
      if (!lives(row, now)) {
        tx.addReadConflict(row.key());
        tx.clear(row.key());
      }
    }
  }

  /** Counts no longer; after a while, should the store not answer. */
  void leave() {
    left = true;
    try {
      database
          .with(options -> options.withTimeout(LEAVE_WITHIN))
          .run(tx -> tx.clear(group.alive(consumer)));
    } catch (RuntimeException outage) {
      LOG.log(Level.DEBUG, "An instance of a sink counts as alive for two more graces", outage);
    }
  }
}
