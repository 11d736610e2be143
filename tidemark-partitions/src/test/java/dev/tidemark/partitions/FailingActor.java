package dev.tidemark.partitions;

import dev.tidemark.kv.Codec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counters that cannot be written, or not be read again, while a switch is on. */
final class FailingActor extends CounterActor {
  private final AtomicBoolean exportFails;
  private final AtomicBoolean loadFails;

  private FailingActor(AtomicBoolean exportFails, AtomicBoolean loadFails) {
    this.exportFails = exportFails;
    this.loadFails = loadFails;
  }

  static ActorType<String, String> type(AtomicBoolean exportFails, AtomicBoolean loadFails) {
    return ActorType.of(
        "counter", Codec.TEXT, Codec.TEXT, context -> new FailingActor(exportFails, loadFails));
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    if (exportFails.get()) {
      throw new IOException("the export was to fail");
    }
    super.export(range, out);
  }

  @Override
  public void load(InputStream in) throws IOException {
    if (loadFails.get()) {
      throw new IOException("the load was to fail");
    }
    super.load(in);
  }
}
