package dev.tidemark;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;

/** Counts how often each name was sent. */
final class Tally implements Actor<String, String> {
  static final ActorType<String, String> TYPE =
      ActorType.of("tally", Codec.TEXT, Codec.TEXT, context -> new Tally());

  private final Map<String, Long> counts = new HashMap<>();

  @Override
  public Outcome<String> receive(String name) {
    long count = counts.merge(name, 1L, Long::sum);
    return Outcome.answer(Long.toString(count)).log(name.getBytes(UTF_8));
  }

  @Override
  public void replay(byte[] entry) {
    counts.merge(new String(entry, UTF_8), 1L, Long::sum);
  }

  @Override
  public void export(PartitionRange range, OutputStream target) throws IOException {
    DataOutputStream out = new DataOutputStream(target);
    for (Map.Entry<String, Long> entry : counts.entrySet()) {
      if (range.contains(Key.utf8(entry.getKey()))) {
        out.writeUTF(entry.getKey());
        out.writeLong(entry.getValue());
      }
    }
    out.writeUTF("");
  }

  @Override
  public void load(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
      counts.put(name, in.readLong());
    }
  }
}
