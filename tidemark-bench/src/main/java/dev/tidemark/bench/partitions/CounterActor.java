package dev.tidemark.bench.partitions;

import dev.tidemark.kv.Codec;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Counts its writes: next to no work, so that the engine is what is measured. */
final class CounterActor implements Actor<byte[], byte[]> {
  static final String NAME = "counter";
  static final ActorType<byte[], byte[]> TYPE =
      ActorType.of(NAME, Codec.BYTES, Codec.BYTES, context -> new CounterActor());
  static final byte[] READ = {'r'};
  static final byte[] WRITE = {'w'};

  private long count;

  @Override
  public Outcome<byte[]> receive(byte[] request) {
    if (request[0] == READ[0]) {
      return Outcome.answer(request);
    }
    count++;
    return Outcome.answer(request).log(request);
  }

  @Override
  public void replay(byte[] entry) {
    count++;
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    new DataOutputStream(out).writeLong(count);
  }

  @Override
  public void load(InputStream in) throws IOException {
    count += new DataInputStream(in).readLong();
  }
}
