package dev.tidemark.remote;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnknownFieldSet;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.Watch;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.EstimateSize;
import dev.tidemark.remote.internal.wire.Failure;
import dev.tidemark.remote.internal.wire.Get;
import dev.tidemark.remote.internal.wire.GetAll;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.Range;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.ScanRows;
import dev.tidemark.remote.internal.wire.SettleCommit;
import dev.tidemark.remote.internal.wire.Settled;
import dev.tidemark.remote.internal.wire.StoreGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that send nonsense, too much, or do not listen: they fail, and the others go on. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class BadClientTest {
  private static final Key A = Key.utf8("a");
  private static final long MIB = 1 << 20;

  /** A type of frame, in HTTP/2. */
  private static final int GO_AWAY = 7;

  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory();
  private final DatabaseServer server =
      DatabaseServer.open(
          served,
          o ->
              o.withSlowClientTimeout(Duration.ofSeconds(2))
                  .withClientLimits(
                      ClientLimits.DEFAULTS.withBytes(4 * MIB).withReaders(10).withWatches(5)));

  @AfterEach
  void othersGoOn() {
    try (RemoteDatabase other = RemoteDatabase.connect(server.uri())) {
      other.run(tx -> tx.set(A, new byte[] {1}));
    }
    server.close();
    served.close();
  }

  @Test
  void sessionBeginsWithAGreeting() throws Exception {
    try (RawClient client = RawClient.reading(server)) {
      client.send(get(2, 1));
      assertThat(client.end().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    }
  }

  @Test
  void clientThatDoesNotGreetIsCutOff() throws Exception {
    try (RawClient client = RawClient.reading(server)) {
      assertThat(client.end().getDescription()).contains("has not greeted");
      assertThat(server.statistics().clientsCutOff()).isEqualTo(1);
    }
  }

  @Test
  void connectionWithoutASessionIsToldToGo() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      DataInputStream frames = new DataInputStream(socket.getInputStream());
      int type;
      do {
        int length = frames.readInt();
        type = length & 0xff;
        frames.skipNBytes((length >>> 8) + 5); // flags, stream and what is in it
      } while (type != GO_AWAY);
    }
  }

  @Test
  void clientThatStopsWithinAFrameIsCutOff() throws Exception {
    try (Http2Client client = Http2Client.connect(server).greet()) {
      client.message(1_000_000, new byte[5_000]);
      eventually("what has come is counted", () -> server.statistics().bytesHeld() == 5_000);
      eventually("it is cut off", () -> server.statistics().clientsCutOff() == 1);
      eventually("nothing is held", () -> server.statistics().bytesHeld() == 0);
    }
  }

  /** Twice as many as clients, and a hundred. */
  @Test
  void connectionsBeyondTheLimitAreRefused() throws Exception {
    List<Http2Client> open = new ArrayList<>();
    try (DatabaseServer small = DatabaseServer.open(served, o -> o.withClients(1))) {
      try {
        for (int i = 0; i < 102; i++) {
          Http2Client client = Http2Client.connect(small);
          open.add(client);
          assertThat(client.isAnswered()).isTrue();
        }
        for (int i = 0; i < 10; i++) {
          try (Http2Client oneMore = Http2Client.connect(small)) {
            assertThat(oneMore.isAnswered()).isFalse();
          }
        }
        open.removeLast().close();
        eventually("there is room for another", () -> connects(small));
      } finally {
        for (Http2Client client : open) {
          client.close();
        }
      }
    }
  }

  private static boolean connects(DatabaseServer server) {
    try (Http2Client client = Http2Client.connect(server)) {
      return client.isAnswered();
    } catch (IOException refused) {
      return false;
    }
  }

  @Test
  void clientOfAnotherProtocolIsRefusedWithBothVersions() throws Exception {
    try (RawClient client = RawClient.reading(server).greet(7)) {
      assertThat(client.end().getDescription()).contains("version 7").contains("the server 2");
    }
  }

  @Test
  void unknownRequestIsAnsweredWithAFailure() throws Exception {
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(Request.newBuilder().setId(5).build());
      Reply reply = client.reply();
      assertThat(reply.getId()).isEqualTo(5);
      assertThat(reply.getFailure().getKind()).isEqualTo(Failure.Kind.USAGE);
    }
  }

  @Test
  void readerThatWasNeverOpenedIsUnknown() throws Exception {
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(get(5, 99));
      assertThat(client.reply().getFailure().getKind()).isEqualTo(Failure.Kind.TRANSACTION_TOO_OLD);
    }
  }

  @Test
  void unknownMutationAndIllegalKeysAreRefused() throws Exception {
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(commit(5, Mutation.newBuilder().setTypeValue(77)));
      assertThat(client.reply().getFailure().getMessage()).contains("77");
      client.send(commit(6, Mutation.newBuilder().setKey(ByteString.copyFrom(new byte[] {-1, 1}))));
      assertThat(client.reply().getFailure().getCode()).isEqualTo(2004);
      ByteString tooLong = ByteString.copyFrom(new byte[Limits.DEFAULTS.valueBytes() + 1]);
      client.send(commit(7, Mutation.newBuilder().setOperand(tooLong)));
      assertThat(client.reply().getFailure().getCode()).isEqualTo(2103);
    }
  }

  /** Each would become several objects, many times as long as what was sent. */
  @Test
  void commitOfTooManyPartsIsRefused() throws Exception {
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      CommitWrites.Builder many = CommitWrites.newBuilder();
      for (int i = 0; i < 156_251; i++) {
        many.addReadKeys(ByteString.EMPTY);
      }
      client.send(Request.newBuilder().setId(5).setCommitWrites(many).build());
      Failure failure = client.reply().getFailure();
      assertThat(failure.getCode()).isEqualTo(2101);
      assertThat(failure.getMessage()).contains("156,250 keys, ranges and mutations");
      assertThat(failure.getLimit()).isEqualTo(156_250);
    }
  }

  @Test
  void manyMutationsOfOneKeyTakeNoLongerThanOthers() throws Exception {
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      CommitWrites.Builder many = CommitWrites.newBuilder();
      for (int i = 0; i < 75_000; i++) {
        many.addMutations(
            Mutation.newBuilder()
                .setType(Mutation.Type.APPEND_IF_FITS)
                .setKey(ByteString.copyFromUtf8("a"))
                .setOperand(ByteString.copyFromUtf8("x")));
        many.addMutations(
            Mutation.newBuilder()
                .setType(Mutation.Type.COMPARE_AND_CLEAR)
                .setKey(ByteString.copyFromUtf8("a")));
      }
      client.send(Request.newBuilder().setId(5).setCommitWrites(many).build());
      assertThat(client.reply().hasCommitted()).isTrue();
      assertThat(served.read(tx -> tx.get(A)).orElseThrow()).hasSize(75_000);
    }
  }

  @Test
  void readOfTooManyKeysIsRefused() throws Exception {
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(
          Request.newBuilder().setOpenReader(OpenReader.newBuilder().setReader(7)).build(),
          getAll(5, 4_096),
          getAll(6, 4_097));
      List<Reply> replies = List.of(client.reply(), client.reply());
      for (Reply reply : replies) {
        if (reply.getId() == 5) {
          assertThat(reply.getValues().getValuesCount()).isEqualTo(4_096);
        } else {
          assertThat(reply.getFailure().getMessage()).contains("more than 4,096 keys");
        }
      }
    }
  }

  private static Request getAll(long id, int keys) {
    GetAll.Builder all = GetAll.newBuilder().setReader(7);
    for (int i = 0; i < keys; i++) {
      all.addKeys(ByteString.copyFromUtf8("k" + i));
    }
    return Request.newBuilder().setId(id).setGetAll(all).build();
  }

  /** Protobuf makes an object of every field, also of one that nobody knows. */
  @Test
  void requestOfTooManyFieldsIsRefused() throws Exception {
    assertRefused(EstimateSize.newBuilder().setRange(rangeOfUnknownFields(4_900)).build());
  }

  /** Protobuf makes one range of all. */
  @Test
  void requestOfTooManyFieldsInSeveralRangesIsRefused() throws Exception {
    Range range = rangeOfUnknownFields(2_400);
    assertRefused(
        EstimateSize.newBuilder()
            .setRange(range)
            .setUnknownFields(alsoIn(EstimateSize.RANGE_FIELD_NUMBER, range))
            .build());
  }

  private static Range rangeOfUnknownFields(int count) {
    UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();
    for (int number = 100; number < 100 + count; number++) {
      fields.addField(number, UnknownFieldSet.Field.newBuilder().addVarint(1).build());
    }
    return Range.newBuilder().setUnknownFields(fields.build()).build();
  }

  private void assertRefused(EstimateSize estimate) throws Exception {
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(Request.newBuilder().setId(5).setEstimateSize(estimate).build());
      assertThat(client.reply().getFailure().getKind()).isEqualTo(Failure.Kind.USAGE);
    }
  }

  /** Protobuf makes one body of both, so that the keys of the first would count for nothing. */
  @Test
  void requestWithTwoBodiesEndsTheSession() throws Exception {
    Request both =
        getAll(5, 5_000).toBuilder()
            .setUnknownFields(alsoIn(Request.GET_ALL_FIELD_NUMBER, getAll(5, 1).getGetAll()))
            .build();
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(both);
      Status end = client.end();
      assertThat(end.getCode()).isEqualTo(Status.Code.INTERNAL);
      assertThat(end.getDescription()).contains("more than one body");
    }
  }

  /** A field as it comes behind all others, whatever was in it before. */
  private static UnknownFieldSet alsoIn(int field, MessageLite message) {
    UnknownFieldSet.Field again =
        UnknownFieldSet.Field.newBuilder().addLengthDelimited(message.toByteString()).build();
    return UnknownFieldSet.newBuilder().addField(field, again).build();
  }

  @Test
  void commitOfAVersionThatCannotBeIsNotSettled() throws Exception {
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(settle(5, -1));
      assertThat(client.reply().getFailure().getMessage()).contains("18446744073709551615");
      client.send(settle(6, 1));
      assertThat(client.reply().getSettled().getFate()).isEqualTo(Settled.Fate.NOT_COMMITTED);
    }
  }

  private static Request settle(long id, long version) {
    SettleCommit settle =
        SettleCommit.newBuilder()
            .setId(ByteString.copyFrom(new byte[16]))
            .setVersion(version)
            .build();
    return Request.newBuilder().setId(id).setSettleCommit(settle).build();
  }

  @Test
  void bytesThatAreNoFrameEndTheSession() throws Exception {
    Status end = endAfter(new byte[] {10, 127, 1, 2, 3});
    assertThat(end.getCode()).isEqualTo(Status.Code.INTERNAL);
    assertThat(end.getDescription()).contains("this is no frame");
    assertThat(server.statistics().clientsRefused()).isEqualTo(1);
  }

  @Test
  void frameThatIsTooLongEndsTheSession() throws Exception {
    assertThat(endAfter(new byte[(int) (41 * MIB)]).getCode())
        .isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.CANCELLED);
  }

  @Test
  void frameWithTooManyRequestsEndsTheSession() throws Exception {
    try (RawClient client = RawClient.reading(server).greet()) {
      client.send(Collections.nCopies(4_097, get(5, 99)).toArray(Request[]::new));
      assertThat(client.end().getDescription()).contains("more than 4,096 requests");
    }
  }

  /** Fields of other kinds would have to be walked over, as many as there are. */
  @Test
  void frameWithTooManyFieldsEndsTheSession() throws Exception {
    byte[] fields = new byte[2 * 4_097];
    for (int i = 0; i < fields.length; i += 2) {
      fields[i] = 2 << 3;
    }
    assertThat(endAfter(fields).getDescription()).contains("more than 4,096 requests");
  }

  private Status endAfter(byte[] frame) throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
    try {
      MethodDescriptor<byte[], byte[]> method =
          StoreGrpc.getSessionMethod().toBuilder(new RawBytes(), new RawBytes()).build();
      ClientCall<byte[], byte[]> call = channel.newCall(method, CallOptions.DEFAULT);
      CompletableFuture<Status> ended = new CompletableFuture<>();
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              ended.complete(status);
            }
          },
          new Metadata());
      call.request(1);
      call.sendMessage(frame);
      return ended.get(20, TimeUnit.SECONDS);
    } finally {
      channel.shutdownNow();
    }
  }

  private static final class RawBytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      return new byte[0];
    }
  }

  @Test
  void transactionsBeyondTheLimitAreRefusedAndGoOnWhenOthersEnd() {
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      List<Transaction> open = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        Transaction tx = client.begin();
        tx.get(A);
        open.add(tx);
      }
      try (Transaction oneMore = client.begin()) {
        assertThatThrownBy(() -> oneMore.get(A))
            .isInstanceOf(UnavailableException.class)
            .hasMessageContaining("ClientLimits.readers");
      }
      open.forEach(Transaction::close);
      try (Transaction again = client.begin()) {
        again.get(A);
      }
    }
  }

  @Test
  void watchesBeyondTheLimitAreRefused() {
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      for (int i = 0; i < 5; i++) {
        client.transact(tx -> tx.watch(A));
      }
      assertThatThrownBy(() -> client.transact(tx -> tx.watch(A)))
          .isInstanceOf(LimitExceededException.class);
      assertThat(server.statistics().watches()).isLessThanOrEqualTo(5);
    }
  }

  @Test
  void watchThatTheDatabaseHasNoRoomForSaysSo() {
    Limits limits = Limits.DEFAULTS.withWatches(1);
    try (EmbeddedDatabase small = EmbeddedDatabase.inMemory(o -> o.withLimits(limits));
        DatabaseServer shared = DatabaseServer.open(small);
        Watch first = small.transact(tx -> tx.watch(A));
        RemoteDatabase client = RemoteDatabase.connect(shared.uri());
        Watch second = client.transact(tx -> tx.watch(A))) {
      assertThatThrownBy(() -> second.await(Duration.ofSeconds(20)))
          .isInstanceOf(LimitExceededException.class)
          .hasMessageContaining("1 watches are open");
      assertThat(first.fired()).isFalse();
    }
  }

  @Test
  void clientThatDoesNotReadIsBoundedAndCutOff() throws Exception {
    for (int batch = 0; batch < 4; batch++) {
      int first = batch * 100;
      served.run(
          tx -> {
            for (int i = first; i < first + 100; i++) {
              tx.set(Key.utf8("big%03d".formatted(i)), new byte[80_000]);
            }
          });
    }
    long most = 0;
    try (RawClient deaf = RawClient.deaf(server).greet();
        RemoteDatabase other = RemoteDatabase.connect(server.uri())) {
      deaf.send(open(2, 1));
      for (int i = 0; i < 500; i++) {
        deaf.send(scan(3 + i, 1), get(1_000 + i, 1));
      }
      while (server.statistics().clientsCutOff() == 0) {
        most = Math.max(most, server.statistics().bytesWaiting());
        other.run(tx -> tx.set(A, new byte[] {2}));
      }
    }
    assertThat(most).as("bytes of replies in line").isBetween(1L, 12 * MIB);
    eventually("its replies are dropped", () -> server.statistics().bytesWaiting() < MIB);
  }

  private static Request open(long id, long reader) {
    return Request.newBuilder()
        .setId(id)
        .setOpenReader(OpenReader.newBuilder().setReader(reader))
        .build();
  }

  private static Request get(long id, long reader) {
    return Request.newBuilder()
        .setId(id)
        .setGet(Get.newBuilder().setReader(reader).setKey(ByteString.copyFromUtf8("big001")))
        .build();
  }

  private static Request scan(long id, long reader) {
    return Request.newBuilder()
        .setId(id)
        .setScanRows(
            ScanRows.newBuilder()
                .setReader(reader)
                .setBegin(ByteString.copyFromUtf8("big"))
                .setEnd(ByteString.copyFromUtf8("bih"))
                .setRows(Integer.MAX_VALUE)
                .setBytes(Integer.MAX_VALUE))
        .build();
  }

  private static Request commit(long id, Mutation.Builder mutation) {
    return Request.newBuilder()
        .setId(id)
        .setCommitWrites(CommitWrites.newBuilder().addMutations(mutation))
        .build();
  }
}
