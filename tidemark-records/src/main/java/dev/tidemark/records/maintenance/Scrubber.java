package dev.tidemark.records.maintenance;

import dev.tidemark.records.IndexStateException;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.scrub.ScrubRun;
import dev.tidemark.records.schema.IndexSpec;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Compares indexes with the records, and repairs them on request. Programs read and write
 * meanwhile: a finding was wrong at one version, and a repair never undoes a write.
 *
 * <p>Entries and records are compared in both directions. Totals are counted into a second copy of
 * the index, which writers maintain together with the first until the count is done; a repair
 * replaces the index by the copy in one transaction. Counts of updates and extremes of all times
 * cannot be checked, because records do not contain their past; {@link ScrubReport#unchecked} names
 * them.
 */
public final class Scrubber {
  private final RecordSpace space;
  private final ScrubOptions options;

  private Scrubber(RecordSpace space, ScrubOptions options) {
    this.space = space;
    this.options = options;
  }

  /**
   * A scrubber of indexes of {@code space}: {@code Scrubber.of(space, o ->
   * o.withMode(Mode.REPAIR))}.
   *
   * @throws IllegalArgumentException if an index is named that is not in the schema
   */
  public static Scrubber of(RecordSpace space, UnaryOperator<ScrubOptions> change) {
    ScrubOptions options = change.apply(ScrubOptions.DEFAULTS);
    List<String> known = space.schema().indexes().stream().map(IndexSpec::name).toList();
    for (String index : options.indexes()) {
      if (!known.contains(index)) {
        throw new IllegalArgumentException(
            "The schema has no index '%s'; it has %s".formatted(index, known));
      }
    }
    return new Scrubber(space, options);
  }

  /**
   * Checks as many rows as one run may, from where the last run of any program ended.
   *
   * @throws IndexStateException if one of the named indexes is not readable
   */
  public ScrubReport run() {
    return new ScrubRun(Bridge.internals(space), options).run();
  }
}
