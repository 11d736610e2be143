package dev.tidemark.partitions;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Counters by name: {@code add NAME} adds one and answers the sum, {@code get NAME} answers it. An
 * addition that is carried out twice, or lost, shows.
 */
class CounterActor implements Actor<String, String> {
  static final ActorType<String, String> TYPE =
      ActorType.of("counter", Codec.TEXT, Codec.TEXT, context -> new CounterActor());

  private final NavigableMap<Key, Long> counters = new TreeMap<>();

  @Override
  public Outcome<String> receive(String request) {
    String[] words = request.split(" ", 2);
    if (words.length < 2) {
      return Outcome.refuse("say add NAME or get NAME");
    }
    Key key = Key.utf8(words[1]);
    if (words[0].equals("get")) {
      return Outcome.answer(Long.toString(counters.getOrDefault(key, 0L)));
    }
    add(key);
    return Outcome.answer(Long.toString(counters.getOrDefault(key, 0L)))
        .log(words[1].getBytes(StandardCharsets.UTF_8));
  }

  private void add(Key key) {
    counters.merge(key, 1L, Long::sum);
  }

  @Override
  public void replay(byte[] entry) {
    add(Key.of(entry));
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    for (Map.Entry<Key, Long> counter : counters.entrySet()) {
      if (range.contains(counter.getKey())) {
        data.writeBoolean(true);
        data.writeInt(counter.getKey().size());
        data.write(counter.getKey().toByteArray());
        data.writeLong(counter.getValue());
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
      counters.put(Key.of(key), data.readLong());
    }
  }

  @Override
  public OptionalLong keyCount() {
    return OptionalLong.of(counters.size());
  }

  @Override
  public ScanPage<String> scan(ScanRequest<String> request) {
    List<ScanPage.Item<String>> items = new ArrayList<>();
    for (Map.Entry<Key, Long> counter :
        counters.tailMap(request.range().start(), true).entrySet()) {
      if (!request.range().contains(counter.getKey())) {
        break;
      }
      if (items.size() == request.limit()) {
        return new ScanPage<>(items, Optional.of(counter.getKey()));
      }
      items.add(new ScanPage.Item<>(counter.getKey(), Long.toString(counter.getValue())));
    }
    return new ScanPage<>(items, Optional.empty());
  }
}
