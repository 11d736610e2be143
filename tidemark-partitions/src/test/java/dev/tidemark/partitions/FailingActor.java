package dev.tidemark.partitions;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counters that cannot be written, or not be read again, while a switch is on. */
final class FailingActor implements Actor<String, String> {
  private final CounterActor counters = new CounterActor();
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
  public Outcome<String> receive(String request) {
    return counters.receive(request);
  }

  @Override
  public void replay(byte[] entry) {
    counters.replay(entry);
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    if (exportFails.get()) {
      throw new IOException("the export was to fail");
    }
    counters.export(range, out);
  }

  @Override
  public void load(InputStream in) throws IOException {
    if (loadFails.get()) {
      throw new IOException("the load was to fail");
    }
    counters.load(in);
  }
}
