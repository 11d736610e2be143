package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorSnapshot;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.ScanPage;
import dev.tidemark.partitions.ScanRequest;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Texts by key. Requests: {@code set k v}, {@code get k}, {@code add k n}, {@code panic k v} (which
 * changes the state before it fails), {@code refuse k}, {@code touch k} (an effect without an
 * entry), {@code mark k v} (an entry with an effect), {@code spoil k v} (an entry whose effect
 * fails).
 */
public final class WordActor implements Actor<String, String> {
  static final String ABSENT = "(absent)";

  private final boolean withSnapshots;
  private TreeMap<Key, String> values = new TreeMap<>();

  WordActor(boolean withSnapshots) {
    this.withSnapshots = withSnapshots;
  }

  public static ActorType<String, String> type(String name) {
    return ActorType.of(name, Codec.TEXT, Codec.TEXT, context -> new WordActor(true));
  }

  static ActorType<String, String> typeWithoutSnapshots(String name) {
    return ActorType.of(name, Codec.TEXT, Codec.TEXT, context -> new WordActor(false));
  }

  /** Where effects leave their marks. */
  static Key mark(String key) {
    return Key.utf8("mark/" + key);
  }

  static Optional<String> marked(Database database, String key) {
    return database
        .read(tx -> tx.get(mark(key)))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public Outcome<String> receive(String request) {
    String[] words = request.split(" ", 3);
    Key key = Key.utf8(words[1]);
    return switch (words[0]) {
      case "get" -> Outcome.answer(values.getOrDefault(key, ABSENT));
      case "set" -> changed(key, words[2]);
      case "add" -> {
        long sum = Long.parseLong(values.getOrDefault(key, "0")) + Long.parseLong(words[2]);
        yield changed(key, Long.toString(sum));
      }
      case "panic" -> {
        values.put(key, words[2]);
        throw new IllegalStateException("panic was asked for");
      }
      case "refuse" -> Outcome.refuse("refused " + words[1]);
      case "touch" ->
          Outcome.answer("touched").effects(tx -> tx.set(mark(words[1]), new byte[] {'t'}));
      case "mark" ->
          changed(key, words[2])
              .effects(tx -> tx.set(mark(words[1]), words[2].getBytes(StandardCharsets.UTF_8)));
      case "spoil" ->
          changed(key, words[2])
              .effects(
                  tx -> {
                    throw new IOException("the effect was to fail");
                  });
      default -> Outcome.refuse("unknown request " + request);
    };
  }

  private Outcome<String> changed(Key key, String value) {
    put(key, value);
    return Outcome.answer(value)
        .log((key.size() + " " + text(key) + value).getBytes(StandardCharsets.UTF_8));
  }

  private void put(Key key, String value) {
    values.put(key, value);
  }

  private static String text(Key key) {
    return new String(key.toByteArray(), StandardCharsets.UTF_8);
  }

  @Override
  public void replay(byte[] entry) {
    String text = new String(entry, StandardCharsets.UTF_8);
    int space = text.indexOf(' ');
    int length = Integer.parseInt(text.substring(0, space));
    String rest = text.substring(space + 1);
    put(Key.utf8(rest.substring(0, length)), rest.substring(length));
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    export(values, range, out);
  }

  private static void export(Map<Key, String> values, PartitionRange range, OutputStream target)
      throws IOException {
    DataOutputStream out = new DataOutputStream(target);
    for (Map.Entry<Key, String> entry : values.entrySet()) {
      if (range.contains(entry.getKey())) {
        out.writeBoolean(true);
        out.writeUTF(text(entry.getKey()));
        out.writeUTF(entry.getValue());
      }
    }
    out.writeBoolean(false);
    out.flush();
  }

  @Override
  public void load(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    while (in.readBoolean()) {
      values.put(Key.utf8(in.readUTF()), in.readUTF());
    }
  }

  @Override
  public Optional<ActorSnapshot> snapshot() {
    if (!withSnapshots) {
      return Optional.empty();
    }
    Map<Key, String> copy = new TreeMap<>(values);
    return Optional.of((range, out) -> export(copy, range, out));
  }

  @Override
  public OptionalLong keyCount() {
    return OptionalLong.of(values.size());
  }

  @Override
  public ScanPage<String> scan(ScanRequest<String> request) {
    List<ScanPage.Item<String>> items = new ArrayList<>();
    for (Map.Entry<Key, String> entry : values.tailMap(request.range().start()).entrySet()) {
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
