package dev.tidemark.chaos.partitions;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.ScanPage;
import dev.tidemark.partitions.ScanRequest;
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
 * Values by key: {@code put KEY VALUE} and {@code delete KEY} answer the value from before, {@code
 * get KEY} that of now; {@link #NOTHING} stands for none.
 */
final class ValueActor implements Actor<String, String> {
  static final String NOTHING = "-";
  static final ActorType<String, String> TYPE =
      ActorType.of("value", Codec.TEXT, Codec.TEXT, context -> new ValueActor());

  private final NavigableMap<Key, String> values = new TreeMap<>();

  @Override
  public Outcome<String> receive(String request) {
    String[] words = request.split(" ", -1);
    String before = values.getOrDefault(Key.utf8(words[1]), NOTHING);
    if (words[0].equals("get")) {
      return Outcome.answer(before);
    }
    apply(words);
    return Outcome.answer(before).log(request.getBytes(StandardCharsets.UTF_8));
  }

  private void apply(String[] words) {
    if (words[0].equals("put")) {
      values.put(Key.utf8(words[1]), words[2]);
    } else {
      values.remove(Key.utf8(words[1]));
    }
  }

  @Override
  public void replay(byte[] entry) {
    apply(new String(entry, StandardCharsets.UTF_8).split(" ", -1));
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    List<Object> flat = new ArrayList<>();
    values.forEach(
        (key, value) -> {
          if (range.contains(key)) {
            flat.add(key.toByteArray());
            flat.add(value);
          }
        });
    out.write(Tuple.copyOf(flat).pack());
  }

  @Override
  public void load(InputStream in) throws IOException {
    Tuple flat = Tuple.unpack(in.readAllBytes());
    for (int i = 0; i < flat.size(); i += 2) {
      values.put(Key.of(flat.getBytes(i)), flat.getString(i + 1));
    }
  }

  @Override
  public OptionalLong keyCount() {
    return OptionalLong.of(values.size());
  }

  @Override
  public ScanPage<String> scan(ScanRequest<String> request) {
    List<ScanPage.Item<String>> items = new ArrayList<>();
    for (Map.Entry<Key, String> entry : values.tailMap(request.range().start(), true).entrySet()) {
      if (!request.range().contains(entry.getKey())) {
        break;
      }
      if (items.size() == request.limit()) {
        return new ScanPage<>(items, Optional.of(entry.getKey()));
      }
      items.add(new ScanPage.Item<>(entry.getKey(), entry.getValue()));
    }
    return new ScanPage<>(items, Optional.empty());
  }
}
