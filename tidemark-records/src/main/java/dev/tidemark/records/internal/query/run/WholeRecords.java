package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.records.internal.query.scan.KeyLayout;
import dev.tidemark.records.internal.query.scan.KeySource;
import dev.tidemark.records.internal.query.scan.Reads;
import dev.tidemark.records.internal.space.TypeView;
import org.jspecify.annotations.Nullable;

/** Finds records among the keys that records are stored under. */
final class WholeRecords implements ScannedRows.Finder {
  private final Reads reads;
  private final TypeView<?> view;
  private final KeySource source;
  private final KeyLayout layout;
  private final RecordTest test;

  WholeRecords(Reads reads, TypeView<?> view, KeySource source, KeyLayout layout, RecordTest test) {
    this.reads = reads;
    this.view = view;
    this.source = source;
    this.layout = layout;
    this.test = test;
  }

  @Override
  public boolean finds(KeyValue row) {
    return layout.isMain(row.key().unsafeBytes()) && test.holds(wire(row), start(row));
  }

  @Override
  public @Nullable Hit find(KeyValue row) {
    if (!layout.isMain(row.key().unsafeBytes())) {
      return null;
    }
    byte[] wire = wire(row);
    int start = start(row);
    return test.holds(wire, start)
        ? new Hit.Loaded(row.key(), row, source.range(), wire, start)
        : null;
  }

  private byte[] wire(KeyValue row) {
    byte[] value = row.value();
    return TypeView.isPlain(value) ? value : view.wire(reads.tx(), row.key(), value);
  }

  private static int start(KeyValue row) {
    return TypeView.isPlain(row.value()) ? 1 : 0;
  }
}
