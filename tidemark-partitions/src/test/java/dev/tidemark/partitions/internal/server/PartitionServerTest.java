package dev.tidemark.partitions.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.grpc.Role;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.PartitionServer;
import dev.tidemark.partitions.PartitionServerOptions;
import dev.tidemark.partitions.internal.engine.WordActor;
import dev.tidemark.partitions.internal.members.NodeStates;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.CounterRow;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.NodeState;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.partitions.internal.wire.PartitionControlGrpc;
import dev.tidemark.partitions.internal.wire.PartitionsGrpc;
import dev.tidemark.partitions.internal.wire.PingRequest;
import dev.tidemark.partitions.internal.wire.Refusal;
import dev.tidemark.partitions.internal.wire.RequestId;
import dev.tidemark.partitions.internal.wire.ScanReply;
import dev.tidemark.partitions.internal.wire.ScanRequest;
import dev.tidemark.partitions.internal.wire.SendReply;
import dev.tidemark.partitions.internal.wire.SendRequest;
import dev.tidemark.testkit.Eventually;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.model.ModelDatabase;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server with its port and its place in the cluster. The test plays client and manager. */
class PartitionServerTest {
  private static final Subspace CLUSTER = Subspace.of("cluster");
  private static final Duration LEASE = Duration.ofSeconds(3);

  private final PartitionKeys keys = new PartitionKeys(CLUSTER);
  private final List<AutoCloseable> open = new ArrayList<>();
  private Database database;

  @BeforeEach
  void begin() {
    database = ModelDatabase.open();
    admission(true);
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
    database.close();
  }

  private void admission(boolean allowed) {
    database.run(
        tx ->
            new NodeStates()
                .setAdmission(RowStore.in(database, CLUSTER, CLUSTER.sub("wake")).in(tx), allowed));
  }

  private static PartitionServerOptions options(String node) {
    return PartitionServerOptions.node(node)
        .withLease(LEASE)
        .withDrainTimeout(Duration.ZERO)
        .withJoinTimeout(Duration.ofMillis(200));
  }

  private PartitionServer server(PartitionServerOptions options) {
    return server(database, options);
  }

  private PartitionServer server(Database through, PartitionServerOptions options) {
    PartitionServer server =
        PartitionServer.open(through, CLUSTER, List.of(WordActor.type("kv")), options);
    open.add(server);
    return server;
  }

  private GrpcChannel channel(PartitionServer server, ChannelOptions options) {
    GrpcChannel channel = GrpcChannel.open(server.address(), options);
    open.add(channel);
    return channel;
  }

  private RawRequests client(PartitionServer server) {
    return new RawRequests(channel(server, ChannelOptions.defaults()).channel());
  }

  private void assign(PartitionServer server, long epoch) {
    OwnershipRow row =
        new OwnershipRow(
            epoch,
            server.node(),
            server.incarnation(),
            Phase.SERVING,
            "kv",
            PartitionRange.ALL,
            Optional.empty());
    database.run(tx -> tx.set(keys.ownership("p1"), row.encode()));
  }

  private NodeRow row(String node) {
    return database.read(
        tx -> NodeRow.decode(tx.get(keys.control(ControlKeys.node(node))).orElseThrow()));
  }

  private static SendRequest request(long epoch, String text) {
    return SendRequest.newBuilder()
        .setPartitionId("p1")
        .setActorType("kv")
        .setEpoch(epoch)
        .setKey(ByteString.copyFromUtf8(text.split(" ", -1)[1]))
        .setPayload(ByteString.copyFromUtf8(text))
        .build();
  }

  @Test
  void serverJoinsAndAnswersOverTheNetwork() {
    PartitionServer server = server(options("n1"));
    assertThat(server.incarnation()).isEqualTo(1);
    assertThat(row("n1").state()).isEqualTo(NodeState.WAITING);
    assertThat(row("n1").address()).isEqualTo("127.0.0.1:" + server.address().port());
    assign(server, 1);
    assertThat(client(server).send(request(1, "set a red")).getPayload().toStringUtf8())
        .isEqualTo("red");
    assertThat(client(server).send(request(1, "get a")).getPayload().toStringUtf8())
        .isEqualTo("red");
  }

  @Test
  void pingNamesTheIncarnation() {
    PartitionServer server = server(options("n1"));
    var reply =
        PartitionControlGrpc.newBlockingStub(channel(server, ChannelOptions.defaults()).channel())
            .ping(PingRequest.getDefaultInstance());
    assertThat(reply.getNodeId()).isEqualTo("n1");
    assertThat(reply.getIncarnation()).isEqualTo(1);
  }

  @Test
  void repeatedRequestIsAnsweredOnceOverTheNetworkToo() {
    PartitionServer server = server(options("n1"));
    assign(server, 1);
    SendRequest add =
        request(1, "add n 5").toBuilder()
            .setRequestId(
                RequestId.newBuilder().setClient(ByteString.copyFromUtf8("me")).setSequence(1))
            .build();
    client(server).send(add);
    assertThat(client(server).send(add).getPayload().toStringUtf8()).isEqualTo("5");
    assertThat(client(server).send(request(1, "get n")).getPayload().toStringUtf8()).isEqualTo("5");
  }

  @Test
  void eachRequestOfAFrameHasAnAnswerOfItsOwn() {
    PartitionServer server = server(options("n1"));
    assign(server, 1);
    List<SendReply> replies =
        client(server)
            .sendAll(List.of(request(1, "set a 1"), request(9, "set b 2"), request(1, "get a")));
    assertThat(replies.get(0).getPayload().toStringUtf8()).isEqualTo("1");
    assertThat(replies.get(1).getRefusal().getReason()).isEqualTo(Refusal.Reason.MOVED);
    assertThat(replies.get(2).getPayload().toStringUtf8()).isEqualTo("1");
  }

  @Test
  void scanComesInPages() {
    PartitionServer server = server(options("n1"));
    assign(server, 1);
    for (int i = 0; i < 3; i++) {
      client(server).send(request(1, "set k" + i + " v" + i));
    }
    ScanReply reply =
        PartitionsGrpc.newBlockingStub(channel(server, ChannelOptions.defaults()).channel())
            .scan(
                ScanRequest.newBuilder()
                    .setPartitionId("p1")
                    .setActorType("kv")
                    .setEpoch(1)
                    .setLimit(2)
                    .setPayload(ByteString.copyFromUtf8("get *"))
                    .build());
    assertThat(reply.getPage().getItemsCount()).isEqualTo(2);
    assertThat(reply.getPage().getContinuation().toStringUtf8()).isEqualTo("k2");
  }

  @Test
  void requestsThatBreakTheRulesAreRefused() {
    PartitionServer server = server(options("n1"));
    assign(server, 1);
    SendReply reply =
        client(server)
            .send(
                request(1, "set a 1").toBuilder()
                    .setRequestId(RequestId.getDefaultInstance())
                    .build());
    assertThat(reply.getRefusal().getReason()).isEqualTo(Refusal.Reason.INVALID);
    assertThat(
            client(server)
                .send(request(1, "set a 1").toBuilder().setActorType("none").build())
                .getRefusal()
                .getReason())
        .isEqualTo(Refusal.Reason.NOT_FOUND);
    assertThatThrownBy(() -> PartitionServerOptions.node("no good"))
        .isInstanceOf(UsageException.class);
  }

  @Test
  void nodeThatNobodyRegisteredIsRefused() {
    admission(false);
    assertThatThrownBy(() -> server(options("stranger")))
        .isInstanceOf(PartitionException.class)
        .hasMessageContaining("not registered")
        .extracting(failure -> ((PartitionException) failure).reason())
        .isEqualTo(Reason.REFUSED);
  }

  @Test
  void clusterOfANewerFormatIsRefused() {
    database.run(tx -> tx.set(keys.format(), new CounterRow(2).encode()));
    assertThatThrownBy(() -> server(options("n1"))).hasMessageContaining("format 2");
  }

  @Test
  void secondServerOfTheSameNameIsRefused() {
    server(options("n1"));
    assertThatThrownBy(() -> server(options("n1"))).hasMessageContaining("runs already");
  }

  @Test
  void restartWaitsForTheLeaseOfAServerThatDied() {
    PartitionServer dead = server(options("n1").withLease(Duration.ofMillis(900)));
    dead.kill();
    PartitionServer again = server(options("n1").withJoinTimeout(Duration.ofSeconds(30)));
    assertThat(again.incarnation()).isEqualTo(2);
  }

  @Test
  void serverThatWasExpiredStopsAndJoinsAgainAsANewIncarnation() {
    PartitionServer server = server(options("n1"));
    assign(server, 1);
    client(server).send(request(1, "set a red"));
    database.run(
        tx -> tx.set(keys.control(ControlKeys.node("n1")), row("n1").withLeaseUntil(0).encode()));
    Eventually.eventually("a new incarnation", () -> server.incarnation() == 2);
    assertThat(client(server).send(request(1, "get a")).getRefusal().getReason())
        .isEqualTo(Refusal.Reason.MOVED);
    assign(server, 2);
    assertThat(client(server).send(request(2, "get a")).getPayload().toStringUtf8())
        .isEqualTo("red");
  }

  @Test
  void serverWhoseStoreIsAwayStopsToAnswerReadsAndJoinsAgainLater() {
    AtomicBoolean away = new AtomicBoolean();
    FaultPlan plan =
        commit -> away.get() ? Optional.of(Fault.UNKNOWN_NOT_COMMITTED) : Optional.empty();
    PartitionServer server = server(FaultyDatabase.over(database, plan), options("n1"));
    assign(server, 1);
    client(server).send(request(1, "set a red"));
    away.set(true);
    Eventually.eventually(
        "reads are refused",
        () ->
            client(server).send(request(1, "get a")).getRefusal().getReason()
                == Refusal.Reason.NO_LEASE);
    away.set(false);
    Eventually.eventually("a new incarnation", () -> server.incarnation() == 2);
  }

  @Test
  void closedServerHasLeftAndItsStateIsSaved() {
    PartitionServer server = server(options("n1"));
    assign(server, 1);
    client(server).send(request(1, "set a red"));
    server.close();
    assertThat(row("n1").leaseUntil()).isZero();
    assertThat(row("n1").state()).isEqualTo(NodeState.WAITING);
    assertThat(
            database.<Boolean, RuntimeException>read(
                tx -> tx.get(keys.checkpointHead("p1")).isPresent()))
        .isTrue();
    PartitionServer again = server(options("n1"));
    assign(again, 2);
    assertThat(client(again).send(request(2, "get a")).getPayload().toStringUtf8())
        .isEqualTo("red");
  }

  @Test
  void commandsNeedTheRoleOfANode() {
    PartitionServer server =
        server(
            options("n1")
                .withListener(
                    ListenerOptions.defaults()
                        .withToken("client-secret-of-some-length", Role.WRITE)
                        .withToken("node-secret-of-some-length", Role.NODE)));
    ChannelOptions client = ChannelOptions.defaults().withToken("client-secret-of-some-length");
    assertThatThrownBy(
            () ->
                PartitionControlGrpc.newBlockingStub(channel(server, client).channel())
                    .ping(PingRequest.getDefaultInstance()))
        .isInstanceOf(StatusRuntimeException.class);
    ChannelOptions node = ChannelOptions.defaults().withToken("node-secret-of-some-length");
    PartitionControlGrpc.newBlockingStub(channel(server, node).channel())
        .ping(PingRequest.getDefaultInstance());
  }
}
