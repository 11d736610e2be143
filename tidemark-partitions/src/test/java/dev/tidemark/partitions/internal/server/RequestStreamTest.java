package dev.tidemark.partitions.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.PartitionServer;
import dev.tidemark.partitions.PartitionServerOptions;
import dev.tidemark.partitions.internal.members.NodeStates;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.partitions.internal.wire.Refusal;
import dev.tidemark.partitions.internal.wire.ReplyFrame;
import dev.tidemark.partitions.internal.wire.RequestFrame;
import dev.tidemark.partitions.internal.wire.SendReply;
import dev.tidemark.partitions.internal.wire.SendRequest;
import io.grpc.Status;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server does with the frames of a stream. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RequestStreamTest {
  private static final Subspace PLACE = Subspace.of("cluster");

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final PartitionKeys keys = new PartitionKeys(PLACE);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final List<AutoCloseable> open = new ArrayList<>();
  private PartitionServer server;

  /** Logs what it gets; a request that says "wait" waits for the gate. */
  private final class Gated implements Actor<byte[], byte[]> {
    @Override
    public Outcome<byte[]> receive(byte[] request) throws Exception {
      String text = new String(request, StandardCharsets.UTF_8);
      if (text.equals("wait") && !gate.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("The gate stayed closed");
      }
      if (text.equals("large")) {
        return Outcome.answer(new byte[5 << 20]);
      }
      return text.equals("read") ? Outcome.answer(request) : Outcome.answer(request).log(request);
    }

    @Override
    public void replay(byte[] entry) {}

    @Override
    public void export(PartitionRange range, OutputStream out) {}

    @Override
    public void load(InputStream in) {}
  }

  @BeforeEach
  void open() {
    database.run(
        tx ->
            new NodeStates()
                .setAdmission(RowStore.in(database, PLACE, PLACE.sub("wake")).in(tx), true));
    serve(PartitionServerOptions.node("n1"));
  }

  private void serve(PartitionServerOptions options) {
    ActorType<byte[], byte[]> type =
        ActorType.of("gated", Codec.BYTES, Codec.BYTES, context -> new Gated());
    server =
        PartitionServer.open(
            database, PLACE, List.of(type), options.withDrainTimeout(Duration.ZERO));
    for (int i = 0; i < 3; i++) {
      OwnershipRow row =
          new OwnershipRow(
              1,
              server.node(),
              server.incarnation(),
              Phase.SERVING,
              "gated",
              PartitionRange.ALL,
              Optional.empty());
      Key ownership = keys.ownership("p" + i);
      database.run(tx -> tx.set(ownership, row.encode()));
    }
  }

  @AfterEach
  void close() throws Exception {
    gate.countDown();
    for (AutoCloseable one : open) {
      one.close();
    }
    server.kill();
    database.close();
  }

  private RawRequests client(ChannelOptions options) {
    GrpcChannel channel = GrpcChannel.open(server.address(), options);
    open.add(channel);
    return new RawRequests(channel.channel());
  }

  private RawRequests client() {
    return client(ChannelOptions.defaults().withMessageBytes(8 << 20));
  }

  private static SendRequest request(String partition, String text, long number) {
    return SendRequest.newBuilder()
        .setPartitionId(partition)
        .setActorType("gated")
        .setEpoch(1)
        .setKey(ByteString.copyFromUtf8("k"))
        .setPayload(ByteString.copyFromUtf8(text))
        .setNumber(number)
        .build();
  }

  private static RequestFrame frame(SendRequest... requests) {
    return RequestFrame.newBuilder().addAllRequests(List.of(requests)).build();
  }

  @Test
  void repliesOfOneCommitLeaveInOneFrame() {
    RawRequests client = client();
    client.send(request("p0", "first", 0)); // The actor is in memory from here on.
    client.sendAll(IntStream.range(0, 100).mapToObj(i -> request("p0", "write " + i, 0)).toList());
    // One for each commit: the turn that carried them out woke the committer once, or a few times.
    assertThat(client.frames).isEmpty();
    assertThat(client.framesSeen()).isLessThan(30);
  }

  @Test
  void slowActorHoldsUpNoOtherOne() throws Exception {
    RawRequests client = client();
    client.sendFrame(frame(request("p0", "wait", 1), request("p1", "write", 2)));
    client.sendFrame(frame(request("p2", "read", 3)));
    List<Long> answered = new ArrayList<>();
    while (answered.size() < 2) {
      client.nextFrame().getRepliesList().forEach(reply -> answered.add(reply.getNumber()));
    }
    assertThat(answered).containsExactlyInAnyOrder(2L, 3L);
    gate.countDown();
    assertThat(client.nextFrame().getReplies(0).getNumber()).isEqualTo(1);
  }

  @Test
  void requestThatIsLateIsToldSo() {
    RawRequests client = client();
    SendRequest late = request("p0", "wait", 1).toBuilder().setTimeoutMicros(50_000).build();
    client.sendFrame(frame(late));
    ReplyFrame frame = client.nextFrame();
    assertThat(frame.getReplies(0).getRefusal().getReason()).isEqualTo(Refusal.Reason.TIMED_OUT);
  }

  @Test
  void frameOfTooManyRequestsEndsItsStreamOnly() throws Exception {
    RawRequests other = client();
    RawRequests client = client();
    SendRequest[] many = new SendRequest[Outbox.FRAME_MESSAGES + 1];
    Arrays.fill(many, SendRequest.getDefaultInstance());
    client.sendFrame(frame(many));
    assertThat(client.end.get(1, TimeUnit.MINUTES).getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(other.send(request("p0", "read", 0)).hasPayload()).isTrue();
  }

  @Test
  void answerThatIsTooLongIsRefusedAndTheStreamGoesOn() {
    RawRequests client = client();
    SendReply reply = client.send(request("p0", "large", 0));
    assertThat(reply.getRefusal().getReason()).isEqualTo(Refusal.Reason.INVALID);
    assertThat(reply.getRefusal().getMessage()).contains("5,242,880").contains("4,194,304");
    assertThat(client.send(request("p0", "read", 0)).hasPayload()).isTrue();
  }

  @Test
  void clientThatSendsNoMoreGetsWhatItAskedFor() throws Exception {
    RawRequests client = client();
    client.sendFrame(frame(request("p0", "wait", 1)));
    client.finish();
    gate.countDown();
    assertThat(client.nextFrame().getReplies(0).hasPayload()).isTrue();
    assertThat(client.end.get(1, TimeUnit.MINUTES)).isEqualTo(Status.OK);
  }

  @Test
  void closingServerAnswersWhatItHasTaken() throws Exception {
    RawRequests client = client();
    client.send(request("p0", "write", 0));
    client.sendFrame(frame(request("p0", "wait", 100)));
    client.sendFrame(frame(request("p1", "write", 101)));
    // Frames are taken in their order, so that the first one was.
    assertThat(client.nextFrame().getReplies(0).getNumber()).isEqualTo(101);
    Thread closer = Thread.startVirtualThread(server::close);
    gate.countDown();
    assertThat(client.nextFrame().getReplies(0).getNumber()).isEqualTo(100);
    assertThat(client.end.get(1, TimeUnit.MINUTES)).isEqualTo(Status.OK);
    closer.join();
  }

  @Test
  void streamNeedsTheRoleOfAWriter() throws Exception {
    server.close();
    ListenerOptions tokens =
        ListenerOptions.defaults()
            .withToken("reader-secret-of-some-length", Role.READ)
            .withToken("writer-secret-of-some-length", Role.WRITE);
    serve(PartitionServerOptions.node("n2").withListener(tokens));
    RawRequests reader =
        client(ChannelOptions.defaults().withToken("reader-secret-of-some-length"));
    assertThat(reader.end.get(1, TimeUnit.MINUTES).getCode())
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    RawRequests writer =
        client(ChannelOptions.defaults().withToken("writer-secret-of-some-length"));
    assertThat(writer.send(request("p0", "write", 0)).hasPayload()).isTrue();
  }

  @Test
  void fullMailboxRefusesWhatItCannotHold() {
    server.close();
    serve(PartitionServerOptions.node("n2").withMailbox(1));
    RawRequests client = client();
    client.sendFrame(frame(request("p0", "wait", 1)));
    client.sendFrame(
        frame(request("p0", "read", 2), request("p0", "read", 3), request("p0", "read", 4)));
    List<SendReply> replies = new ArrayList<>(client.nextFrame().getRepliesList());
    gate.countDown();
    while (replies.size() < 4) {
      replies.addAll(client.nextFrame().getRepliesList());
    }
    assertThat(replies)
        .filteredOn(SendReply::hasRefusal)
        .isNotEmpty()
        .allSatisfy(
            reply -> {
              assertThat(reply.getRefusal().getReason()).isEqualTo(Refusal.Reason.BUSY);
              assertThat(reply.getRefusal().getRetryAfterMicros()).isPositive();
            });
    assertThat(replies)
        .filteredOn(SendReply::hasPayload)
        .extracting(SendReply::getNumber)
        .contains(1L);
  }
}
