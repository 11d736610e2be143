package dev.tidemark.records.internal.scrub;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.IndexStateException;
import dev.tidemark.records.internal.build.BuildBatch;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.scrub.ScrubProgress.Pass;
import dev.tidemark.records.internal.space.IndexStates;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.space.StoredRecords;
import dev.tidemark.records.internal.work.Allowance;
import dev.tidemark.records.internal.work.BatchLoop;
import dev.tidemark.records.maintenance.BuildOptions;
import dev.tidemark.records.maintenance.Finding;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.ScrubOptions;
import dev.tidemark.records.maintenance.ScrubReport;
import dev.tidemark.records.maintenance.UnfitRecord;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One run of a {@link dev.tidemark.records.maintenance.Scrubber}. */
public final class ScrubRun {
  private final Space space;
  private final Database database;
  private final ScrubOptions options;
  private final boolean repairs;
  private final List<Finding> findings = new ArrayList<>();
  private long scanned;
  private long missing;
  private long wrongValues;
  private long dangling;
  private long stale;
  private long wrongTotals;
  private long unfit;
  private final List<ScrubReport.Unchecked> uncounted = new ArrayList<>();
  private long repaired;

  /** A run over indexes of {@code space}. */
  public ScrubRun(Space space, ScrubOptions options) {
    this.space = space;
    this.database = space.database();
    this.options = options;
    this.repairs = options.mode() == ScrubOptions.Mode.REPAIR;
  }

  /**
   * Resumes where the last run ended, until the scrub is complete or the run has reached its limit.
   */
  public ScrubReport run() {
    List<String> indexes = indexes();
    boolean complete = indexes.stream().allMatch(this::scrub);
    if (complete) {
      if (repairs) {
        indexes.forEach(index -> database.run(tx -> settle(tx, index)));
      }
      database.run(tx -> indexes.forEach(index -> tx.clear(progressKey(tx, index))));
    }
    return new ScrubReport(
        scanned,
        missing,
        wrongValues,
        dangling,
        stale,
        wrongTotals,
        unfit,
        repaired,
        findings,
        Stream.concat(
                indexes.stream().flatMap(index -> unchecked(index).stream()), uncounted.stream())
            .toList(),
        complete);
  }

  /**
   * An added entry may have shared its values with a dangling row that was removed later, so that
   * the violation is resolved.
   */
  private void settle(Transaction tx, String index) {
    if (space.ownState(tx).state(index) == IndexState.READABLE_UNIQUE_PENDING) {
      new IndexStates(space).makeReadable(tx, index);
    }
  }

  private Optional<ScrubReport.Unchecked> unchecked(String name) {
    IndexKind kind = space.schema().index(name).orElseThrow().kind();
    return switch (kind) {
      case COUNT_UPDATES ->
          Optional.of(
              new ScrubReport.Unchecked(
                  name, "it counts saves, and a record does not tell how often it was saved"));
      case MIN_EVER, MAX_EVER ->
          Optional.of(
              new ScrubReport.Unchecked(
                  name, "it knows values that records had once, and records keep only their last"));
      case VALUE, COUNT, COUNT_NOT_NULL, SUM, MIN, MAX, AVERAGE, RANK, VERSION, TEXT ->
          Optional.empty();
    };
  }

  private List<String> indexes() {
    return options.indexes().isEmpty()
        ? database.read(
            tx ->
                space.schema().indexes().stream()
                    .map(IndexSpec::name)
                    .filter(index -> space.state(tx).state(index).isReadable())
                    .toList())
        : options.indexes();
  }

  private Key progressKey(Transaction tx, String index) {
    return space.ownState(tx).maintainer(index).keys().scrubbed();
  }

  /** Returns whether {@code index} is complete. */
  private boolean scrub(String index) {
    BuildOptions batches =
        BuildOptions.DEFAULTS.withRecordsPerTransaction(options.rowsPerTransaction());
    BatchLoop counting = new BatchLoop(database, batches);
    Pass pass = Pass.BEGIN;
    while (pass != Pass.DONE) {
      if (scanned >= options.rowsMax()) {
        return false;
      }
      // A count has nothing to report, so it may run again after an unknown result; it also meets
      // writers more often, and needs batches that become smaller.
      ScrubStep step;
      try {
        step =
            pass == Pass.COUNT
                ? counting.commit((tx, allowance) -> step(tx, index, allowance))
                : database.transact(tx -> step(tx, index, usual(tx)));
      } catch (BuildBatch.Unfit met) {
        leaveUncounted(index, met.record());
        return true;
      }
      note(step);
      pass = step.next().pass();
    }
    return true;
  }

  /** Discards totals that lack a record, because they cannot be compared. */
  private void leaveUncounted(String index, UnfitRecord record) {
    database.run(
        tx -> {
          SpaceState state = space.ownState(tx);
          if (state.copy(index).isPresent()) {
            state.copy(index).get().keys().clear(tx);
            space.change(
                tx, state.header().with(index, info -> info.withCopy(Header.IndexInfo.NO_COPY)));
          }
        });
    uncounted.add(
        new ScrubReport.Unchecked(
            index,
            "it counts the %s %s, which it cannot take; delete that record or save it in another form"
                .formatted(record.type(), record.primaryKey())));
    note(
        new ScrubStep(
            ScrubProgress.DONE,
            0,
            List.of(new Finding.Unfit(index, record.primaryKey(), record.reason())),
            0));
  }

  private Allowance usual(Transaction tx) {
    return new Allowance(
        tx,
        database.time(),
        options.rowsPerTransaction(),
        BuildOptions.DEFAULTS.bytesPerTransaction(),
        BuildOptions.DEFAULTS.timePerTransaction().toNanos());
  }

  private ScrubStep step(Transaction tx, String name, Allowance allowance) {
    SpaceState state = space.ownState(tx);
    if (!state.state(name).isReadable()) {
      throw notReadable(name, state.state(name));
    }
    Key progress = state.maintainer(name).keys().scrubbed();
    ScrubProgress from = tx.get(progress).map(ScrubProgress::parse).orElse(ScrubProgress.BEGIN);
    ScrubStep step = step(tx, state, name, from, allowance);
    tx.set(progressKey(tx, name), step.next().toBytes());
    return step;
  }

  private ScrubStep step(
      Transaction tx, SpaceState state, String name, ScrubProgress from, Allowance allowance) {
    Maintainer index = state.maintainer(name);
    RecordType<?> type = space.schema().type(index.index().type()).orElseThrow();
    RowScrub rows =
        new RowScrub(
            index,
            state.type(type.name()).keys(),
            new StoredRecords<>(space, type),
            repairs,
            () -> new IndexStates(space).makeUniquePending(tx, name));
    TotalScrub totals = new TotalScrub(space, type, name, repairs);
    return switch (from.pass()) {
      case BEGIN -> new ScrubStep(first(index), 0, List.of(), 0);
      case RECORDS -> rows.records(tx, from.next(), allowance);
      case ROWS -> rows.rows(tx, from.next(), allowance);
      case COUNT -> totals.count(tx, state, allowance);
      case COMPARE, COMPARE_SECONDARY ->
          totals.compare(tx, state, from, options.rowsPerTransaction());
      case DONE -> new ScrubStep(ScrubProgress.DONE, 0, List.of(), 0);
    };
  }

  private static ScrubProgress first(Maintainer index) {
    return switch (index.contents()) {
      case ROWS -> ScrubProgress.at(Pass.RECORDS, IndexStates.EVERY_RECORD.begin());
      case TOTALS -> ScrubProgress.at(Pass.COUNT, Key.EMPTY);
      case HISTORY -> ScrubProgress.DONE;
    };
  }

  private static IndexStateException notReadable(String index, IndexState state) {
    return new IndexStateException(
        index,
        state,
        "The index '%s' is %s; only readable ones can be scrubbed. Build it first"
            .formatted(index, state));
  }

  private void note(ScrubStep step) {
    scanned += step.scanned();
    repaired += step.repaired();
    for (Finding finding : step.findings()) {
      switch (finding) {
        case Finding.Missing each -> missing++;
        case Finding.WrongValue each -> wrongValues++;
        case Finding.Dangling each -> dangling++;
        case Finding.Stale each -> stale++;
        case Finding.WrongTotal each -> wrongTotals++;
        case Finding.Unfit each -> unfit++;
      }
      if (findings.size() < options.findingsMax()) {
        findings.add(finding);
      }
    }
  }
}
