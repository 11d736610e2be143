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
import java.io.DataInputStream;
import java.io.DataOutputStream;
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

/**
 * Objects in buckets. The key of an object is its bucket and its name, so that a bucket is a range
 * of keys: a large one is split over several partitions, a small one shares a partition with
 * others. Each put gives an object its next version; a put may name the version that it replaces.
 */
public final class ObjectActor implements Actor<ObjectActor.Request, ObjectActor.Stored> {
  /** The longest content. */
  public static final int CONTENT_BYTES = 256 << 10;

  /** A put replaces whatever is there. */
  public static final long ANY_VERSION = -1;

  /** The type, the same for clients and servers. */
  public static final ActorType<Request, Stored> TYPE =
      ActorType.of(
          "object",
          Codec.of(Request::encode, Request::decode),
          Codec.of(Stored::encode, Stored::decode),
          context -> new ObjectActor());

  private final NavigableMap<Key, Stored> objects = new TreeMap<>();

  /** What to do with an object. */
  public enum Verb {
    /** Answer its version and content. */
    GET,
    /** Give it content, and the next version. */
    PUT,
    /** Remove it, and answer what it was. */
    DELETE,
    /** Answer versions and lengths; of a scan. */
    LIST
  }

  /**
   * A request.
   *
   * @param verb what to do
   * @param key to which object
   * @param ifVersion only if it has this version, 0 for none; {@link #ANY_VERSION} for whatever
   * @param content of a put
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Request(Verb verb, Key key, long ifVersion, byte[] content) {
    byte[] encode() {
      return Tuple.of(verb.name(), key.toByteArray(), ifVersion, content).pack();
    }

    static Request decode(byte[] bytes) {
      Tuple fields = Tuple.unpack(bytes);
      return new Request(
          Verb.valueOf(fields.getString(0)),
          Key.of(fields.getBytes(1)),
          fields.getLong(2),
          fields.getBytes(3));
    }
  }

  /**
   * An object.
   *
   * @param version counts its puts; 0 if there is no such object
   * @param length of its content
   * @param content what it holds; empty in a listing
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Stored(long version, long length, byte[] content) {
    /** There is no object. */
    static final Stored NONE = new Stored(0, 0, new byte[0]);

    /** Whether there is one. */
    public boolean exists() {
      return version > 0;
    }

    Stored withoutContent() {
      return new Stored(version, length, NONE.content());
    }

    byte[] encode() {
      return Tuple.of(version, length, content).pack();
    }

    static Stored decode(byte[] bytes) {
      Tuple fields = Tuple.unpack(bytes);
      return new Stored(fields.getLong(0), fields.getLong(1), fields.getBytes(2));
    }
  }

  /** The key of an object. */
  public static Key key(String bucket, String name) {
    return Key.of(Tuple.of(bucket, name).pack());
  }

  /** The name of the object with this key. */
  public static String name(Key key) {
    return Tuple.unpack(key.toByteArray()).getString(1);
  }

  /** All keys of a bucket. */
  public static PartitionRange bucket(String bucket) {
    Key first = Key.of(Tuple.of(bucket).pack());
    return PartitionRange.of(first, Key.of(Tuple.of(bucket + '\0').pack()));
  }

  @Override
  public Outcome<Stored> receive(Request request) {
    Stored before = objects.getOrDefault(request.key(), Stored.NONE);
    boolean changes = request.verb() == Verb.PUT || request.verb() == Verb.DELETE;
    if (!changes) {
      return Outcome.answer(before);
    }
    if (request.ifVersion() != ANY_VERSION && request.ifVersion() != before.version()) {
      return Outcome.refuse(
          "The object has version %d, not %d".formatted(before.version(), request.ifVersion()));
    }
    if (request.content().length > CONTENT_BYTES) {
      return Outcome.refuse(
          "The content has %,d bytes; an object holds %,d at the most"
              .formatted(request.content().length, CONTENT_BYTES));
    }
    apply(request);
    Stored after = objects.getOrDefault(request.key(), Stored.NONE);
    Stored answer = request.verb() == Verb.PUT ? after : before;
    return Outcome.answer(answer.withoutContent()).log(request.encode());
  }

  private void apply(Request change) {
    if (change.verb() == Verb.DELETE) {
      objects.remove(change.key());
    } else {
      long version = objects.getOrDefault(change.key(), Stored.NONE).version() + 1;
      objects.put(change.key(), new Stored(version, change.content().length, change.content()));
    }
  }

  @Override
  public void replay(byte[] entry) {
    apply(Request.decode(entry));
  }

  @Override
  public void export(PartitionRange range, OutputStream target) throws IOException {
    DataOutputStream out = new DataOutputStream(target);
    for (Map.Entry<Key, Stored> object : objects.entrySet()) {
      if (range.contains(object.getKey())) {
        write(out, object.getKey().toByteArray());
        write(out, object.getValue().encode());
      }
    }
    out.writeInt(-1);
    out.flush();
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  @Override
  public void load(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    for (int length = in.readInt(); length >= 0; length = in.readInt()) {
      Key key = Key.of(in.readNBytes(length));
      objects.put(key, Stored.decode(in.readNBytes(in.readInt())));
    }
  }

  @Override
  public OptionalLong keyCount() {
    return OptionalLong.of(objects.size());
  }

  @Override
  public ScanPage<Stored> scan(ScanRequest<Request> request) {
    List<ScanPage.Item<Stored>> items = new ArrayList<>();
    for (Map.Entry<Key, Stored> object : objects.tailMap(request.range().start()).entrySet()) {
      if (!request.range().contains(object.getKey())) {
        break;
      }
      if (items.size() == request.limit()) {
        return new ScanPage<>(items, Optional.of(object.getKey()));
      }
      items.add(new ScanPage.Item<>(object.getKey(), object.getValue().withoutContent()));
    }
    return new ScanPage<>(items, Optional.empty());
  }
}
