package dev.tidemark.bench.partitions;

import dev.tidemark.kv.Codec;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorSnapshot;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A large state with a cheap snapshot. A request of one byte adds a block of a megabyte, whose
 * bytes depend on its number only; any other request is counted.
 */
final class BulkActor implements Actor<byte[], byte[]> {
  static final ActorType<byte[], byte[]> TYPE =
      ActorType.of("bulk", Codec.BYTES, Codec.BYTES, context -> new BulkActor());
  static final byte[] FILL = {'f'};
  static final byte[] COUNT = {'c', 'c'};
  private static final int BLOCK = 1 << 20;

  /** Blocks never change, so that a copy of the list is a snapshot. */
  private final List<byte[]> blocks = new ArrayList<>();

  private long count;

  @Override
  public Outcome<byte[]> receive(byte[] request) {
    replay(request);
    return Outcome.answer(request).log(request);
  }

  @Override
  public void replay(byte[] entry) {
    if (entry.length > FILL.length) {
      count++;
      return;
    }
    byte[] block = new byte[BLOCK];
    new Random(blocks.size()).nextBytes(block);
    blocks.add(block);
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    write(blocks, count, out);
  }

  private static void write(List<byte[]> blocks, long count, OutputStream target)
      throws IOException {
    DataOutputStream out = new DataOutputStream(target);
    out.writeLong(count);
    out.writeInt(blocks.size());
    for (byte[] block : blocks) {
      out.write(block);
    }
    out.flush();
  }

  @Override
  public void load(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    count += in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      byte[] block = new byte[BLOCK];
      in.readFully(block);
      blocks.add(block);
    }
  }

  @Override
  public Optional<ActorSnapshot> snapshot() {
    List<byte[]> now = List.copyOf(blocks);
    long counted = count;
    return Optional.of((range, out) -> write(now, counted, out));
  }
}
