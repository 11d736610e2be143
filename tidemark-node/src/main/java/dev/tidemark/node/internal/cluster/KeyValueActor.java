package dev.tidemark.node.internal.cluster;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Texts by key. A request says what to do, to which key, and with which value. */
public final class KeyValueActor implements Actor<KeyValueActor.Request, String> {
  /** The answer where there is no value. */
  public static final String NOTHING = "";

  /**
   * What to do.
   *
   * @param verb get, put or delete
   * @param key to which key
   * @param value the value to put
   */
  public record Request(String verb, String key, String value) {
    byte[] encode() {
      return Tuple.of(verb, key, value).pack();
    }

    static Request decode(byte[] bytes) {
      Tuple fields = Tuple.unpack(bytes);
      return new Request(fields.getString(0), fields.getString(1), fields.getString(2));
    }
  }

  /** The type, the same for clients and servers. */
  public static final ActorType<Request, String> TYPE =
      ActorType.of(
          "kv",
          Codec.of(Request::encode, Request::decode),
          Codec.TEXT,
          context -> new KeyValueActor());

  private final NavigableMap<Key, String> values = new TreeMap<>();

  @Override
  public Outcome<String> receive(Request request) {
    return switch (request.verb()) {
      case "get" -> Outcome.answer(values.getOrDefault(Key.utf8(request.key()), NOTHING));
      case "put", "delete" -> {
        String before = values.getOrDefault(Key.utf8(request.key()), NOTHING);
        apply(request);
        yield Outcome.answer(before).log(request.encode());
      }
      default -> Outcome.refuse("There is no verb " + request.verb());
    };
  }

  private void apply(Request change) {
    if (change.verb().equals("put")) {
      values.put(Key.utf8(change.key()), change.value());
    } else {
      values.remove(Key.utf8(change.key()));
    }
  }

  @Override
  public void replay(byte[] entry) {
    apply(Request.decode(entry));
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
  public ScanPage<String> scan(ScanRequest<Request> request) {
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
