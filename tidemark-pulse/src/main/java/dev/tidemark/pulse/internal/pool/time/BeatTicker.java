package dev.tidemark.pulse.internal.pool.time;

import dev.tidemark.pulse.internal.common.OpenHandles;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.pool.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** A ticker over a beat that nodes share. */
public final class BeatTicker implements Ticker, OpenHandles.Handle {
  private final String name;
  private final SharedBeat beat;
  private final OpenHandles handles;

  public BeatTicker(PoolCore core, String name, Duration interval, OpenHandles handles) {
    this.name = name;
    this.beat = new SharedBeat(core, PoolKeys.TICKERS.append(name), interval, false);
    this.handles = handles;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<Instant> await(Duration timeout) {
    OptionalLong tick = beat.awaitFresh(timeout);
    return tick.isPresent()
        ? Optional.of(Instant.ofEpochMilli(tick.getAsLong()))
        : Optional.empty();
  }

  @Override
  public boolean isEnded() {
    return beat.isEnded();
  }

  @Override
  public void stop() {
    beat.stop();
    handles.remove(this);
  }

  @Override
  public void close() {
    beat.close();
    handles.remove(this);
  }
}
