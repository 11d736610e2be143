package dev.tidemark.remote.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnsafeByteOperations;
import com.sun.management.ThreadMXBean;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.Write;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.remote.internal.client.CommitEncoding;
import dev.tidemark.remote.internal.client.KnownRows;
import dev.tidemark.remote.internal.client.ReceivedReply;
import dev.tidemark.remote.internal.client.RequestFields;
import dev.tidemark.remote.internal.client.RowStream;
import dev.tidemark.remote.internal.transport.Envelope;
import dev.tidemark.remote.internal.transport.FieldReader;
import dev.tidemark.remote.internal.transport.FieldWriter;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.FrameMarshaller;
import dev.tidemark.remote.internal.transport.MalformedFrameException;
import dev.tidemark.remote.internal.transport.PackedRows;
import dev.tidemark.remote.internal.transport.SentGet;
import dev.tidemark.remote.internal.transport.SentScan;
import dev.tidemark.remote.internal.wire.ClientFrame;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Committed;
import dev.tidemark.remote.internal.wire.Get;
import dev.tidemark.remote.internal.wire.Known;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.Range;
import dev.tidemark.remote.internal.wire.ReaderOpened;
import dev.tidemark.remote.internal.wire.ReleaseReader;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.Rows;
import dev.tidemark.remote.internal.wire.ScanRows;
import dev.tidemark.remote.internal.wire.ServerFrame;
import dev.tidemark.remote.internal.wire.Value;
import io.grpc.Drainable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are written and read without protobuf are the same bytes as with it. */
class MessagesByHandTest {
  private static final int ROUNDS = 1_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void requestsAreThoseOfProtobuf(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < ROUNDS; i++) {
      long id = number(random);
      long reader = number(random);
      long version = number(random);
      byte[] key = bytes(random);
      OpenReader open = OpenReader.newBuilder().setReader(reader).setVersion(version).build();
      assertThat(RequestFields.openReader(id, reader, version))
          .isEqualTo(frame(Request.newBuilder().setId(id).setOpenReader(open)));
      assertThat(RequestFields.releaseReader(reader))
          .isEqualTo(
              frame(
                  Request.newBuilder()
                      .setReleaseReader(ReleaseReader.newBuilder().setReader(reader))));
      Get get = Get.newBuilder().setReader(reader).setKey(ByteString.copyFrom(key)).build();
      assertThat(RequestFields.get(id, reader, Key.of(key)))
          .isEqualTo(frame(Request.newBuilder().setId(id).setGet(get)));
      RowStream.Portion portion =
          new RowStream.Portion(
              Key.of(key), Key.of(bytes(random)), random.nextInt(1 << 30), random.nextBoolean());
      int most = random.nextInt(1 << 20);
      List<KnownRows.Part> parts = new ArrayList<>();
      List<SentScan.Known> known = new ArrayList<>();
      for (int part = random.nextInt(3); part > 0; part--) {
        Key end = Key.of(bytes(random));
        long since = number(random);
        parts.add(
            new KnownRows.Part(Key.EMPTY, end, since, 0, PackedRows.NONE, new AtomicBoolean()));
        known.add(new SentScan.Known(end, since));
      }
      byte[] scan = RequestFields.scan(id, reader, portion, most, parts);
      ScanRows.Builder wire =
          ScanRows.newBuilder()
              .setReader(reader)
              .setBegin(bytes(portion.begin()))
              .setEnd(bytes(portion.end()))
              .setRows(portion.rows())
              .setBytes(most)
              .setReverse(portion.reverse());
      for (SentScan.Known part : known) {
        wire.addKnown(Known.newBuilder().setEnd(bytes(part.end())).setVersion(part.version()));
      }
      assertThat(scan).isEqualTo(frame(Request.newBuilder().setId(id).setScanRows(wire)));
      FieldReader fields = new FieldReader(scan);
      assertThat(fields.next()).isTrue();
      assertThat(SentScan.read(Envelope.open(fields.message()).message()))
          .isEqualTo(
              new SentScan(
                  reader,
                  portion.begin(),
                  portion.end(),
                  portion.rows(),
                  most,
                  portion.reverse(),
                  known));
    }
  }

  @Test
  void fieldThatALaterReleaseAddsBehindTheBodyIsPassedOver() {
    Get get = Get.newBuilder().setReader(7).build();
    UnknownFieldSet.Field added =
        UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8("x")).build();
    Request request =
        Request.newBuilder()
            .setId(3)
            .setGet(get)
            .setUnknownFields(UnknownFieldSet.newBuilder().addField(16, added).build())
            .build();

    Envelope read = Envelope.open(new FieldReader(request.toByteArray()));
    assertThat(read.id()).isEqualTo(3);
    assertThat(read.kind()).isEqualTo(Request.GET_FIELD_NUMBER);
    assertThat(SentGet.read(read.message()).reader()).isEqualTo(7);
  }

  /** Protobuf would keep each of them, in many times the bytes that it has. */
  @Test
  void fieldsOfARangeThatNobodyKnowsTakeNoMemory() {
    UnknownFieldSet.Field.Builder many = UnknownFieldSet.Field.newBuilder();
    for (int i = 0; i < 100_000; i++) {
      many.addVarint(1);
    }
    Range range =
        Range.newBuilder()
            .setEnd(ByteString.copyFromUtf8("b"))
            .setUnknownFields(UnknownFieldSet.newBuilder().addField(99, many.build()).build())
            .build();
    byte[] commit =
        CommitWrites.newBuilder()
            .addReadRanges(range)
            .addWriteConflicts(range)
            .build()
            .toByteArray();
    bytesAllocatedIn(() -> SentCommit.read(new FieldReader(commit), 2)); // classes are loaded
    assertThat(bytesAllocatedIn(() -> SentCommit.read(new FieldReader(commit), 2)))
        .isLessThan(100_000);
  }

  @Test
  void commitMayHaveAsManyPartsAsThereMayBeBesideItsOtherFields() {
    Mutation set = Mutation.newBuilder().setKey(ByteString.copyFromUtf8("a")).build();
    CommitWrites.Builder commit =
        CommitWrites.newBuilder()
            .setReadVersion(1)
            .setTimeoutNanos(1)
            .setId(ByteString.copyFrom(new byte[CommitId.BYTES]))
            .addReadKeys(ByteString.EMPTY)
            .addReadRanges(Range.getDefaultInstance())
            .addWriteConflicts(Range.getDefaultInstance())
            .addMutations(set);
    SentCommit.read(new FieldReader(commit.build().toByteArray()), 4);
    byte[] oneMore = commit.addMutations(set).build().toByteArray();
    assertThatThrownBy(() -> SentCommit.read(new FieldReader(oneMore), 4))
        .isInstanceOf(LimitExceededException.class);
  }

  private static long bytesAllocatedIn(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void repliesAreThoseOfProtobufAndAreReadAsTheyWereWritten(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < ROUNDS; i++) {
      long id = number(random);
      long version = number(random);
      byte[] value = bytes(random);
      Commit.Position position = new Commit.Position(version, random.nextInt(70_000));

      byte[] opened = ReplyFields.readerOpened(id, version);
      ReaderOpened wire = ReaderOpened.newBuilder().setVersion(version).build();
      assertThat(opened).isEqualTo(frame(Reply.newBuilder().setId(id).setReaderOpened(wire)));
      assertThat(answer(id, opened)).isEqualTo(new ReceivedReply.ReaderOpened(version));

      byte[] committed = ReplyFields.committed(id, position);
      Committed stamp =
          Committed.newBuilder().setVersion(version).setBatch(position.batch()).build();
      assertThat(committed).isEqualTo(frame(Reply.newBuilder().setId(id).setCommitted(stamp)));
      assertThat(answer(id, committed)).isEqualTo(new ReceivedReply.Committed(position));

      int parts = 1 + random.nextInt(64);
      byte[] unchanged = ReplyFields.unchanged(id, parts, version);
      Rows.Builder known = Rows.newBuilder().setVersion(version).setUnchanged(parts);
      assertThat(unchanged).isEqualTo(frame(Reply.newBuilder().setId(id).setRows(known)));
      assertThat(((ReceivedReply.Rows) answer(id, unchanged)).unchanged()).isEqualTo(parts);

      byte[] found = ReplyFields.value(id, value, version);
      Value present =
          Value.newBuilder().setValue(ByteString.copyFrom(value)).setVersion(version).build();
      assertThat(found).isEqualTo(frame(Reply.newBuilder().setId(id).setValue(present)));
      assertThat(((ReceivedReply.Value) answer(id, found)).bytes()).isEqualTo(value);
      assertThat(((ReceivedReply.Value) answer(id, found)).version()).isEqualTo(version);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void rowsAreReadAsTheyWereWritten(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < ROUNDS; i++) {
      List<KeyValue> rows = new ArrayList<>();
      for (int row = random.nextInt(20); row > 0; row--) {
        rows.add(new KeyValue(Key.of(bytes(random)), bytes(random)));
      }
      boolean unfinished = random.nextBoolean();
      boolean more = random.nextBoolean();
      byte[] reply = ReplyFields.rows(7, new ScanPortion(rows, more), unfinished, i);
      Rows wire = ServerFrame.parseFrom(reply).getReplies(0).getRows();
      assertThat(wire.getUnfinished()).isEqualTo(unfinished);
      assertThat(wire.getMore()).isEqualTo(more && !unfinished);
      assertThat(wire.getVersion()).isEqualTo(i);
      assertThat(wire.getPacked().size()).isEqualTo(PackedRows.sizeOf(rows));

      ReceivedReply.Rows read = (ReceivedReply.Rows) answer(7, reply);
      assertThat(read.unfinished()).isEqualTo(unfinished);
      assertThat(read.more()).isEqualTo(more && !unfinished);
      assertThat(read.version()).isEqualTo(i);
      if (!rows.isEmpty()) {
        assertThat(read.packed().last())
            .isEqualTo(new PackedRows.Last(rows.getLast().key(), rows.size()));
      }
      List<KeyValue> unpacked = new ArrayList<>();
      while (read.packed().hasNext()) {
        unpacked.add(read.packed().next());
      }
      assertThat(unpacked).as("seed %d", seed).isEqualTo(rows);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void damagedRowsAreRefusedAndNothingElse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<KeyValue> rows =
        List.of(
            new KeyValue(Key.of(bytes(random)), bytes(random)),
            new KeyValue(Key.of(bytes(random)), bytes(random)));
    FieldWriter packed = new FieldWriter(PackedRows.sizeOf(rows));
    PackedRows.write(rows, packed);
    int refused = 0;
    for (int i = 0; i < ROUNDS; i++) {
      byte[] damaged = Arrays.copyOf(packed.toByteArray(), 1 + random.nextInt(packed.size()));
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      PackedRows.Reader reader = new PackedRows.Reader(damaged, 0, damaged.length);
      try {
        reader.last();
        while (reader.hasNext()) {
          reader.next();
        }
      } catch (StorageException expected) {
        refused++;
      }
    }
    assertThat(refused).as("seed %d", seed).isPositive();
  }

  @Test
  void keyWithoutAValueIsNotAnEmptyValue() {
    byte[] missing = ReplyFields.value(7, null, 0);
    Reply.Builder reply = Reply.newBuilder().setId(7).setValue(Value.getDefaultInstance());
    assertThat(missing).isEqualTo(frame(reply));
    assertThat(((ReceivedReply.Value) answer(7, missing)).bytes()).isNull();
  }

  @Test
  void commitIsThatOfProtobuf() throws Exception {
    Key a = Key.utf8("a");
    Key b = Key.utf8("b");
    TreeMap<Key, Write> writes = new TreeMap<>();
    writes.put(a, new Write.Put(new byte[] {1, 2}));
    writes.put(b, Write.CLEAR);
    Commit commit =
        new Commit(
            5,
            List.of(a, Key.EMPTY),
            List.of(KeyRange.of(a, b)),
            new TreeMap<>(Map.of(b, Key.END)),
            writes,
            List.of(),
            List.of(KeyRange.of(Key.EMPTY, a)),
            Collections.emptyNavigableMap(),
            new CommitId(0x0102030405060708L, -1));
    CommitWrites expected =
        CommitWrites.newBuilder()
            .setReadVersion(5)
            .addReadKeys(bytes(a))
            .addReadKeys(ByteString.EMPTY)
            .addReadRanges(Range.newBuilder().setBegin(bytes(a)).setEnd(bytes(b)))
            .addWriteConflicts(Range.newBuilder().setEnd(bytes(a)))
            .addMutations(mutation(Mutation.Type.CLEAR_RANGE, b, new byte[] {-1}))
            .addMutations(mutation(Mutation.Type.SET, a, new byte[] {1, 2}))
            .addMutations(mutation(Mutation.Type.CLEAR, b, new byte[0]))
            .setTimeoutNanos(77)
            .setId(ByteString.fromHex("0102030405060708" + "ffffffffffffffff"))
            .build();
    byte[] written = RequestFields.commit(9, CommitEncoding.encode(commit, 77));
    assertThat(ClientFrame.parseFrom(written).getRequests(0).getCommitWrites()).isEqualTo(expected);
    assertThat(written).isEqualTo(frame(Request.newBuilder().setId(9).setCommitWrites(expected)));
  }

  private static Mutation mutation(Mutation.Type type, Key key, byte[] operand) {
    return Mutation.newBuilder()
        .setType(type)
        .setKey(bytes(key))
        .setOperand(ByteString.copyFrom(operand))
        .build();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void bytesThatMakeNoSenseAreMalformedAndNothingElse(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] whole =
        joined(
            List.of(
                RequestFields.get(3, 300, Key.of(bytes(random))),
                RequestFields.openReader(1L << 40, 2, 9),
                ReplyFields.value(5, bytes(random), 4),
                ReplyFields.rows(
                    8,
                    new ScanPortion(
                        List.of(new KeyValue(Key.of(bytes(random)), bytes(random))), true),
                    false,
                    3),
                ReplyFields.committed(6, new Commit.Position(7, 8))));
    int malformed = 0;
    for (int i = 0; i < 20 * ROUNDS; i++) {
      byte[] damaged = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      try {
        readAll(Frame.of(damaged));
      } catch (MalformedFrameException expected) {
        malformed++;
      }
    }
    assertThat(malformed).as("seed %d", seed).isPositive();
  }

  /** As gRPC takes it from a frame. */
  private static byte[] joined(List<byte[]> pieces) throws IOException {
    return FrameMarshaller.SESSION.streamRequest(new Frame(pieces)).readAllBytes();
  }

  @Test
  void piecesOfAFrameArriveAsOne() throws Exception {
    List<byte[]> pieces = List.of(new byte[] {1, 2}, new byte[0], new byte[] {3});
    InputStream read = FrameMarshaller.SESSION.streamRequest(new Frame(pieces));
    assertThat(read.available()).isEqualTo(3);
    assertThat(read.read()).isEqualTo(1);
    assertThat(read.available()).isEqualTo(2);
    ByteArrayOutputStream drained = new ByteArrayOutputStream();
    assertThat(((Drainable) read).drainTo(drained)).isEqualTo(2);
    assertThat(drained.toByteArray()).containsExactly(2, 3);
    assertThat(joined(pieces)).containsExactly(1, 2, 3);
  }

  private static void readAll(Frame frame) {
    frame.count(Integer.MAX_VALUE);
    for (FieldReader fields = frame.read(); fields.next(); ) {
      if (fields.field() == Frame.MESSAGES) {
        FieldReader message = fields.message();
        Envelope envelope = Envelope.open(message);
        ReceivedReply.in(envelope);
        message.parse(Request::parseFrom);
      } else {
        fields.skip();
      }
    }
  }

  @Test
  void longValuesAreReadWithoutProtobufsHelp() {
    byte[] large = new byte[100_000];
    new SplittableRandom(1).nextBytes(large);
    assertThat(((ReceivedReply.Value) answer(1, ReplyFields.value(1, large, 0))).bytes())
        .isEqualTo(large);
  }

  private static ReceivedReply answer(long id, byte[] reply) {
    FieldReader frame = new FieldReader(reply);
    assertThat(frame.next()).isTrue();
    Envelope envelope = Envelope.open(frame.message());
    assertThat(envelope.id()).isEqualTo(id);
    assertThat(frame.next()).isFalse();
    return ReceivedReply.in(envelope);
  }

  /** Numbers of all lengths. */
  private static long number(SplittableRandom random) {
    return random.nextLong() >>> random.nextInt(64);
  }

  private static byte[] bytes(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static ByteString bytes(Key key) {
    return UnsafeByteOperations.unsafeWrap(key.unsafeBytes());
  }

  private static byte[] frame(Request.Builder request) {
    return ClientFrame.newBuilder().addRequests(request).build().toByteArray();
  }

  private static byte[] frame(Reply.Builder reply) {
    return ServerFrame.newBuilder().addReplies(reply).build().toByteArray();
  }
}
