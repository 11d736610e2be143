package dev.tidemark.chaos.partitions;

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
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Counters: {@code add NAME} adds one and answers the sum, {@code get NAME} answers it. */
final class CountingActor implements Actor<String, String> {
  static final ActorType<String, String> TYPE =
      ActorType.of("counter", Codec.TEXT, Codec.TEXT, context -> new CountingActor());

  private final NavigableMap<Key, Long> sums = new TreeMap<>();

  @Override
  public Outcome<String> receive(String request) {
    String name = request.substring(request.indexOf(' ') + 1);
    Key key = Key.utf8(name);
    if (request.startsWith("get ")) {
      return Outcome.answer(Long.toString(sums.getOrDefault(key, 0L)));
    }
    sums.merge(key, 1L, Long::sum);
    return Outcome.answer(Long.toString(sums.getOrDefault(key, 0L)))
        .log(name.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void replay(byte[] entry) {
    sums.merge(Key.of(entry), 1L, Long::sum);
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    for (Map.Entry<Key, Long> sum : sums.entrySet()) {
      if (range.contains(sum.getKey())) {
        data.writeBoolean(true);
        data.writeInt(sum.getKey().size());
        data.write(sum.getKey().toByteArray());
        data.writeLong(sum.getValue());
      }
    }
    data.writeBoolean(false);
    data.flush();
  }

  @Override
  public void load(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    while (data.readBoolean()) {
      byte[] key = new byte[data.readInt()];
      data.readFully(key);
      sums.put(Key.of(key), data.readLong());
    }
  }

  @Override
  public OptionalLong keyCount() {
    return OptionalLong.of(sums.size());
  }
}
