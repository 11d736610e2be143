package dev.tidemark.records.query;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.records.internal.query.engine.PlanningEngine;
import dev.tidemark.records.internal.query.plan.Candidate;
import java.util.ArrayList;
import java.util.List;

/** Runs a query by every plan that the planner has for it. Part of the measurements alone. */
public final class CandidateTimes {
  private CandidateTimes() {}

  /**
   * How long each plan takes, the chosen one first.
   *
   * @param times how often each is run; the shortest time counts
   * @param giveUpNanos a plan that has taken so long is not run again; one that outlives its
   *     transaction has taken as long as it lived
   */
  public static <R> List<Long> nanos(
      Database database, Query<R> query, int times, long giveUpNanos) {
    PlanningEngine<R> engine = (PlanningEngine<R>) query.engine();
    List<Candidate> candidates =
        database.read(tx -> engine.plan(tx, query.spec().wantingRecords()).candidates());
    List<Long> shortest = new ArrayList<>();
    for (Candidate candidate : candidates) {
      long best = Long.MAX_VALUE;
      for (int i = 0; i < times && (i == 0 || best < giveUpNanos); i++) {
        long begin = System.nanoTime();
        run(database, engine, query, candidate);
        best = Math.min(best, System.nanoTime() - begin);
      }
      shortest.add(best);
    }
    return shortest;
  }

  /** A plan that nobody would choose may take longer than a transaction may. */
  private static <R> void run(
      Database database, PlanningEngine<R> engine, Query<R> query, Candidate candidate) {
    try (Transaction tx = database.begin()) {
      engine.records(tx.snapshot(), query.spec(), candidate).forEachRemaining(row -> {});
    } catch (TransactionTooOldException outlived) {
      // Its time says it all.
    }
  }

  /** How long planning takes, with a plan that is known or without. */
  public static <R> long planNanos(Database database, Query<R> query) {
    PlanningEngine<R> engine = (PlanningEngine<R>) query.engine();
    return database.read(
        tx -> {
          tx.readVersion();
          long begin = System.nanoTime();
          engine.plan(tx, query.spec().wantingRecords());
          return System.nanoTime() - begin;
        });
  }
}
