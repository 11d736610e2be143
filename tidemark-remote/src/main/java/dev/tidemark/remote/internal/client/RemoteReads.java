package dev.tidemark.remote.internal.client;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.spi.BaseReads;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.GetAll;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.Value;
import dev.tidemark.remote.internal.wire.Values;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one version at a server. A request that goes out with the first read fixes the version
 * there, so that both are one round trip; the reply carries its number.
 */
final class RemoteReads implements BaseReads {
  /** Keys in one request, and bytes of them; more are asked for in several requests at once. */
  private static final int KEYS_MAX = 1_000;

  private static final int KEYS_BYTES = 1 << 20;

  private final StoreClient client;
  private final Connection connection;
  private final long reader;
  private final LongSupplier nanosLeft;
  private final long startNanos;
  private final ReadAhead ahead = new ReadAhead(this);
  private final AtomicBoolean open = new AtomicBoolean(true);
  private volatile long version;

  /**
   * Reads of {@code version}, or of the latest one if it is 0; waits take at most {@code
   * nanosLeft}.
   */
  RemoteReads(StoreClient client, long version, LongSupplier nanosLeft) {
    this.client = client;
    this.version = version;
    this.nanosLeft = nanosLeft;
    this.connection = client.connection(nanosLeft.getAsLong());
    this.reader = client.nextId();
    this.startNanos = client.options().time().nanos();
    connection.enqueue(new Outgoing.Note(RequestFields.openReader(0, reader, version)));
  }

  /** The opening of the store that is read. */
  ByteString opening() {
    return connection.opening();
  }

  @Override
  public long version() {
    long known = version;
    if (known == 0) {
      checkWindow();
      long id = client.nextId();
      Call call = client.newCall(id, RequestFields.openReader(id, reader, 0));
      connection.send(call);
      known = call.awaitVersion(nanosLeft.getAsLong());
      told(known);
    }
    return known;
  }

  /** The first reply to a read carries the version. */
  private void told(long told) {
    if (told != 0 && version == 0) {
      version = told;
      client.sawVersion(told, connection);
    }
  }

  @Override
  public byte @Nullable [] get(Key key) {
    checkWindow();
    long id = client.nextId();
    Call call = client.newCall(id, RequestFields.get(id, reader, key));
    connection.send(call);
    ReceivedReply.Value value = call.awaitValue(nanosLeft.getAsLong());
    told(value.version());
    return value.bytes();
  }

  private static byte @Nullable [] valueOf(Value value) {
    return value.hasValue() ? value.getValue().toByteArray() : null;
  }

  @Override
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    checkWindow();
    List<Key> wanted = List.copyOf(keys);
    ArrayDeque<Batch> batches = new ArrayDeque<>();
    for (int from = 0, to; from < wanted.size(); from = to) {
      to = endOfBatch(wanted, from);
      batches.add(ask(wanted.subList(from, to)));
    }
    Map<Key, byte[]> found = new HashMap<>();
    while (!batches.isEmpty()) {
      Batch batch = batches.remove();
      Values reply = await(batch.call()).getValues();
      told(reply.getVersion());
      List<Value> values = reply.getValuesList();
      for (int i = 0; i < values.size(); i++) {
        byte[] value = valueOf(values.get(i));
        if (value != null) {
          found.put(batch.keys().get(i), value);
        }
      }
      if (values.size() < batch.keys().size()) {
        batches.add(ask(batch.keys().subList(values.size(), batch.keys().size())));
      }
    }
    return found;
  }

  /** Where the batch of keys ends that begins at {@code from}: one key at least. */
  private static int endOfBatch(List<Key> keys, int from) {
    int to = from + 1;
    long bytes = keys.get(from).size();
    while (to < keys.size() && to - from < KEYS_MAX && bytes + keys.get(to).size() <= KEYS_BYTES) {
      bytes += keys.get(to++).size();
    }
    return to;
  }

  private record Batch(List<Key> keys, Call call) {}

  private Batch ask(List<Key> keys) {
    GetAll all = GetAll.newBuilder().setReader(reader).addAllKeys(Wire.bytes(keys)).build();
    return new Batch(keys, send(Request.newBuilder().setGetAll(all)));
  }

  @Override
  public ScanPortion scan(Key begin, Key end, int rows, int bytes, boolean reverse) {
    checkWindow();
    return ahead.scan(new RowStream.Portion(begin, end, rows, reverse), bytes);
  }

  /** Requests a part of a scan and does not wait for it. */
  Call ask(RowStream.Portion portion, int bytes, List<KnownRows.Part> parts) {
    long id = client.nextId();
    Call call = client.newScan(id, RequestFields.scan(id, reader, portion, bytes, parts));
    connection.send(call);
    return call;
  }

  /** The rows that earlier scans of the session have fetched. */
  KnownRows known() {
    return connection.known();
  }

  /** The version, if it is known; zero otherwise. */
  long knownVersion() {
    return version;
  }

  /** The next rows that {@code call} brings. */
  ReceivedReply.Rows awaitRows(Call call) {
    ReceivedReply.Rows rows = call.awaitRows(nanosLeft.getAsLong());
    told(rows.version());
    return rows;
  }

  private Call send(Request.Builder request) {
    Call call = client.newCall(request);
    connection.send(call);
    return call;
  }

  private Reply await(Call call) {
    return call.awaitReply(nanosLeft.getAsLong());
  }

  /** Throws if the version is no longer kept. The server measures too, on its own clock. */
  void checkWindow() {
    long age = client.options().time().nanos() - startNanos;
    if (age > client.limits().readWindow().toNanos()) {
      throw new TransactionTooOldException(
          ("The transaction's first read was more than %s ago, and that version is no longer kept."
                  + " Make transactions shorter, or go on in a new one")
              .formatted(client.limits().readWindow()));
    }
    if (!open.get()) {
      throw new TransactionTooOldException("The transaction has given up its version");
    }
  }

  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      connection.enqueue(new Outgoing.Note(RequestFields.releaseReader(reader)));
    }
  }
}
