package dev.tidemark.pulse.internal.kv;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.StoreClock;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.Capabilities;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.kv.map.KvMapStore;
import dev.tidemark.pulse.internal.kv.rows.Expiries;
import dev.tidemark.pulse.internal.kv.stream.KvStream;
import dev.tidemark.pulse.internal.spi.Backend;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.StreamStore;
import java.time.Instant;

/** Streams, maps and pools in a subspace of Tidemark's own store. */
public final class KvBackend implements Backend {
  /** The first element of the keys of pools. */
  static final String POOL = "p";

  private static final Capabilities CAPABILITIES = new Capabilities("tidemark", true, true, true);

  /** So many streams and maps are looked at in one sweep. */
  private static final int SWEPT = 100;

  private final Database database;
  private final Subspace space;
  private final StoreClock clock;
  private final Expiries expiries;

  /** A backend in {@code space} of {@code database}, which stays its owner's to close. */
  public KvBackend(Database database, Subspace space) {
    this.database = database;
    this.space = space;
    this.clock = new StoreClock(database, space.pack("clock"));
    this.expiries = new Expiries(database, space, clock::now);
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public StreamStore stream(String name, StreamOptions options) {
    return kvStream(name, options);
  }

  private KvStream kvStream(String name, StreamOptions options) {
    return new KvStream(
        database,
        clock,
        space.sub(Expiries.STREAM, name),
        name,
        options,
        expiries,
        this::deadLetters);
  }

  /** Dead letters wait for someone to look at them, however many there are. */
  private KvStream deadLetters(String name) {
    return kvStream(name, StreamOptions.DEFAULTS.keepingAll());
  }

  @Override
  public MapStore map(String name, MapOptions options) {
    return new KvMapStore(
        name, database, space.sub(Expiries.MAP, name), options, clock::now, expiries);
  }

  @Override
  public RowStore pool(String name) {
    return RowStore.in(database, space.sub(POOL, name));
  }

  @Override
  public Instant now() {
    return clock.now();
  }

  @Override
  public void sweepExpired() {
    expiries.sweep(SWEPT);
  }

  @Override
  public TimeSource time() {
    return database.time();
  }

  @Override
  public void close() {
    // The database belongs to whoever opened it.
  }
}
