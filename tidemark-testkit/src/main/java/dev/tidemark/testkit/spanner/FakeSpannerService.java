package dev.tidemark.testkit.spanner;

import com.google.protobuf.Empty;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import com.google.spanner.v1.CreateSessionRequest;
import com.google.spanner.v1.DeleteSessionRequest;
import com.google.spanner.v1.ExecuteSqlRequest;
import com.google.spanner.v1.PartialResultSet;
import com.google.spanner.v1.ResultSetMetadata;
import com.google.spanner.v1.Session;
import com.google.spanner.v1.SpannerGrpc;
import com.google.spanner.v1.Transaction;
import dev.tidemark.kv.TimeSource;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers the calls of Google's client, each query on a virtual thread of its own. */
final class FakeSpannerService extends SpannerGrpc.SpannerImplBase {
  private static final Pattern STREAM = Pattern.compile("(?:READ_|read_json_)([A-Za-z0-9_]+)");

  private final SpannerScript script;
  private final boolean postgreSql;
  private final AtomicInteger sessions = new AtomicInteger();
  private final Map<String, String> roles = new ConcurrentHashMap<>();
  private final AtomicInteger queries = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();

  FakeSpannerService(SpannerScript script, boolean postgreSql) {
    this.script = script;
    this.postgreSql = postgreSql;
  }

  int queries() {
    return queries.get();
  }

  int openQueries() {
    return open.get();
  }

  @Override
  public void createSession(CreateSessionRequest request, StreamObserver<Session> answer) {
    String name = request.getDatabase() + "/sessions/" + sessions.incrementAndGet();
    roles.put(name, request.getSession().getCreatorRole());
    answer.onNext(
        Session.newBuilder()
            .setName(name)
            .setCreateTime(now())
            .setMultiplexed(request.getSession().getMultiplexed())
            .build());
    answer.onCompleted();
  }

  @Override
  public void deleteSession(DeleteSessionRequest request, StreamObserver<Empty> answer) {
    answer.onNext(Empty.getDefaultInstance());
    answer.onCompleted();
  }

  @Override
  public void executeStreamingSql(
      ExecuteSqlRequest request, StreamObserver<PartialResultSet> answer) {
    Matcher stream = STREAM.matcher(request.getSql());
    if (stream.find()) {
      var rows =
          new SentRows(
              (ServerCallStreamObserver<PartialResultSet>) answer,
              postgreSql,
              request.getResumeToken());
      SpannerScript.Query query = query(stream.group(1), request);
      Thread.startVirtualThread(() -> answer(query, rows));
    } else if (request.getSql().contains("database_dialect")) {
      one(answer, SpannerRows.TEXT, postgreSql ? "POSTGRESQL" : "GOOGLE_STANDARD_SQL");
    } else if (request.getSql().equals("SELECT 1")) {
      one(answer, SpannerRows.NUMBER, "1");
    } else {
      answer.onError(
          Status.UNIMPLEMENTED
              .withDescription("The fake of Spanner does not know " + request.getSql())
              .asRuntimeException());
    }
  }

  private SpannerScript.Query query(String stream, ExecuteSqlRequest request) {
    Map<String, Value> parameters = request.getParams().getFieldsMap();
    return new SpannerScript.Query(
        stream,
        text(parameters, "p3").orElse(""),
        text(parameters, "p1").map(Instant::parse).orElseThrow(),
        text(parameters, "p2").map(Instant::parse),
        Duration.ofMillis(text(parameters, "p4").map(Long::parseLong).orElseThrow()),
        request.getRequestOptions().getPriority().name(),
        request.getRequestOptions().getRequestTag(),
        roles.getOrDefault(request.getSession(), ""));
  }

  private static Optional<String> text(Map<String, Value> parameters, String name) {
    return Optional.ofNullable(parameters.get(name))
        .filter(Value::hasStringValue)
        .map(Value::getStringValue);
  }

  private void answer(SpannerScript.Query query, SentRows rows) {
    queries.incrementAndGet();
    open.incrementAndGet();
    try {
      script.answer(query, rows);
      rows.complete();
    } catch (RuntimeException failure) {
      rows.fail(failure);
    } catch (InterruptedException cancelled) {
      rows.fail(Status.CANCELLED.asRuntimeException());
    } finally {
      open.decrementAndGet();
    }
  }

  private static void one(
      StreamObserver<PartialResultSet> answer, ResultSetMetadata type, String value) {
    ResultSetMetadata metadata =
        type.toBuilder().setTransaction(Transaction.newBuilder().setReadTimestamp(now())).build();
    answer.onNext(
        PartialResultSet.newBuilder()
            .setMetadata(metadata)
            .addValues(Value.newBuilder().setStringValue(value))
            .build());
    answer.onCompleted();
  }

  private static Timestamp now() {
    Instant now = TimeSource.system().instant();
    return Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()).build();
  }
}
