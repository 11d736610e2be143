package dev.tidemark.remote.internal.server;

import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.spi.BaseReads;
import dev.tidemark.kv.spi.BufferedTransaction;
import dev.tidemark.remote.internal.transport.Envelope;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.SentGet;
import dev.tidemark.remote.internal.transport.SentReader;
import dev.tidemark.remote.internal.transport.SentScan;
import dev.tidemark.remote.internal.wire.GetAll;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Values;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one session. Those with short replies are made in their turn, as long as the client
 * takes its replies; the others on threads of their own. Used by one thread at a time.
 *
 * <p>The thread that asks for a read may be one that must not wait. So it gets the part of the read
 * that may block, or null if the read is answered or at work.
 */
final class ServedReads {
  private final Readers readers;
  private final Outbox<byte[], Frame> outbox;
  private final LongAdder confirmed;
  private final OwnThread threads;
  private final BooleanSupplier hasRoom;
  private final LargeReads large;

  /** Does work for a request that takes long. */
  @FunctionalInterface
  interface OwnThread {
    /** Runs {@code work} for the request {@code id} of {@code size} bytes. */
    void run(long id, int size, Runnable work);
  }

  /** Reads with {@code readers}; scans that need no rows are counted in {@code confirmed}. */
  ServedReads(
      Readers readers,
      Outbox<byte[], Frame> outbox,
      LongAdder confirmed,
      BooleanSupplier hasRoom,
      OwnThread threads) {
    this.readers = readers;
    this.outbox = outbox;
    this.confirmed = confirmed;
    this.hasRoom = hasRoom;
    this.threads = threads;
    this.large = new LargeReads(hasRoom);
  }

  void open(Envelope request) {
    SentReader reader = SentReader.read(request.message());
    long version = readers.open(reader.number(), reader.version());
    if (request.id() != 0) {
      outbox.enqueue(ReplyFields.readerOpened(request.id(), version));
    }
  }

  void release(Envelope request) {
    readers.release(SentReader.read(request.message()).number());
  }

  @Nullable Runnable get(Envelope request) {
    long id = request.id();
    SentGet get = SentGet.read(request.message());
    Readers.Found reader = readers.find(get.reader());
    if (reader.tx() instanceof BufferedTransaction buffered && hasRoom.getAsBoolean()) {
      BaseReads.AtHand found = buffered.getAtHand(get.key());
      if (found != null) {
        outbox.enqueue(ReplyFields.value(id, found.value(), reader.untold()));
        return null;
      }
    }
    ReadTransaction reads = reader.tx().snapshot();
    return read(
        id,
        request.size(),
        true,
        () -> ReplyFields.value(id, reads.get(get.key()).orElse(null), reader.untold()));
  }

  @Nullable Runnable getAll(long id, int size, GetAll all) {
    Readers.Found reader = readers.find(all.getReader());
    if (hasRoom.getAsBoolean()) {
      Values atHand = LargeReads.valuesAtHand(all, reader);
      if (atHand != null) {
        outbox.enqueue(ReplyFields.of(Reply.newBuilder().setId(id).setValues(atHand).build()));
        return null;
      }
    }
    int weight = LargeReads.weight(all, size);
    return read(id, weight, LargeReads.isSmall(all), () -> values(id, all, reader));
  }

  private static byte[] values(long id, GetAll all, Readers.Found reader) {
    return ReplyFields.of(
        Reply.newBuilder().setId(id).setValues(LargeReads.values(all, reader)).build());
  }

  private @Nullable Runnable read(long id, int size, boolean small, Supplier<byte[]> answer) {
    if (small && hasRoom.getAsBoolean()) {
      return () -> outbox.enqueue(answer.get());
    }
    answerInTurn(id, size, answer);
    return null;
  }

  /** Answers with what may be long, when it is its turn among the large reads. */
  void answerInTurn(long id, int size, Supplier<byte[]> answer) {
    threads.run(id, size, () -> large.run(() -> send(answer.get())));
  }

  @Nullable Runnable scan(Envelope request) {
    long id = request.id();
    SentScan scan = SentScan.read(request.message());
    Readers.Found reader = readers.find(scan.reader());
    int unchanged = LargeReads.unchanged(scan, reader.tx());
    if (unchanged > 0) {
      confirmed.increment();
      outbox.enqueue(ReplyFields.unchanged(id, unchanged, reader.untold()));
      return null;
    }
    if (LargeReads.isSmall(scan) && hasRoom.getAsBoolean()) {
      return () -> LargeReads.scan(id, scan, reader, outbox::enqueue);
    }
    threads.run(
        id,
        request.size(),
        () -> large.run(() -> LargeReads.scan(id, scan, reader, this::sendWithRoom)));
    return null;
  }

  private void sendWithRoom(byte[] part) {
    send(part);
    large.awaitRoom();
  }

  private void send(byte[] reply) {
    outbox.enqueue(reply);
    outbox.sendHere();
  }

  /** Wakes reads that wait for room to check again. */
  void roomChanged() {
    large.roomChanged();
  }

  /** Ends the reads at work, and gives up all readers. */
  void close() {
    large.close();
    readers.closeAll();
  }
}
