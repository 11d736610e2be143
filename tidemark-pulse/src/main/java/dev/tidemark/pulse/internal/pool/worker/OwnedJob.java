package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.pulse.internal.pool.rows.Assignment;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.PoolClient;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** A job at its worker. */
final class OwnedJob implements Job {
  private final Assignment assignment;
  private final PoolClient client;
  private final BooleanSupplier lost;

  OwnedJob(Assignment assignment, PoolClient client, BooleanSupplier lost) {
    this.assignment = assignment;
    this.client = client;
    this.lost = lost;
  }

  @Override
  public String key() {
    return assignment.claim().key();
  }

  @Override
  public byte[] payload() {
    return assignment.payload().clone();
  }

  @Override
  public Instant createdAt() {
    return Instant.ofEpochMilli(assignment.job().created());
  }

  @Override
  public long epoch() {
    return assignment.claim().epoch();
  }

  @Override
  public int attempt() {
    return assignment.attempt();
  }

  @Override
  public boolean requeued() {
    return assignment.job().requeued();
  }

  @Override
  public boolean isLost() {
    return lost.getAsBoolean();
  }

  @Override
  public PoolClient client() {
    return client;
  }

  @Override
  public String toString() {
    return "Job[" + key() + ", epoch " + epoch() + "]";
  }
}
