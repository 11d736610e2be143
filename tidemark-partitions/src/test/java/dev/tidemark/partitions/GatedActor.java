package dev.tidemark.partitions;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Counters whose log cannot be replayed before a gate opens: whoever loads the partition waits, and
 * so does the operation that has it loaded. Their split hint is a fixed key.
 */
final class GatedActor implements Actor<String, String> {
  static final Key HINT = Key.utf8("k007");

  private final CounterActor counters = new CounterActor();
  private final CountDownLatch gate;

  private GatedActor(CountDownLatch gate) {
    this.gate = gate;
  }

  static ActorType<String, String> type(CountDownLatch gate) {
    return ActorType.of("counter", Codec.TEXT, Codec.TEXT, context -> new GatedActor(gate));
  }

  @Override
  public Outcome<String> receive(String request) {
    return counters.receive(request);
  }

  @Override
  public void replay(byte[] entry) throws InterruptedException {
    gate.await();
    counters.replay(entry);
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    counters.export(range, out);
  }

  @Override
  public void load(InputStream in) throws IOException {
    counters.load(in);
  }

  @Override
  public Optional<Key> splitHint() {
    return Optional.of(HINT);
  }
}
