package dev.tidemark.partitions.etcd;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.etcd.internal.EtcdCalls;
import dev.tidemark.partitions.etcd.internal.EtcdRowStore;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;

/** Opens the rows that managers and servers share in an etcd. */
public final class EtcdRows {
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);
  private static final int MESSAGE_BYTES = 64 << 20;

  private EtcdRows() {}

  /**
   * Connects, and reads once to see that etcd answers.
   *
   * @return the rows; whoever opened them closes them, after managers and servers
   * @throws UsageException if a certificate cannot be read
   * @throws UnavailableException if etcd does not answer in time, or refuses the user
   */
  public static RowStore connect(EtcdOptions options) {
    Client client = client(options);
    try {
      EtcdCalls calls = new EtcdCalls(client, options.timeout(), options.operationsMax());
      calls.check(options.prefix());
      return new EtcdRowStore(client, calls, options.prefix(), TimeSource.system());
    } catch (RuntimeException | Error failure) {
      client.close();
      throw failure;
    }
  }

  private static Client client(EtcdOptions options) {
    ClientBuilder builder =
        Client.builder()
            .endpoints(options.endpoints())
            .connectTimeout(options.timeout())
            .keepaliveTime(KEEP_ALIVE)
            .keepaliveTimeout(options.timeout())
            .maxInboundMessageSize(MESSAGE_BYTES)
            .interceptor(EtcdCalls.deadline(options.timeout()));
    options
        .login()
        .ifPresent(login -> builder.user(bytes(login.user())).password(bytes(login.password())));
    if (options.tls().isPresent()) {
      EtcdOptions.Tls tls = options.tls().get();
      try {
        builder.sslContext(ssl -> configure(ssl, tls));
      } catch (SSLException | IllegalArgumentException unreadable) {
        throw UsageException.invalidOption(
            "The certificates of %s cannot be used: %s".formatted(tls, unreadable.getMessage()));
      }
    }
    return builder.build();
  }

  private static void configure(SslContextBuilder ssl, EtcdOptions.Tls tls) {
    ssl.trustManager(tls.authorities().toFile());
    tls.certificate()
        .ifPresent(
            certificate ->
                ssl.keyManager(certificate.toFile(), tls.privateKey().orElseThrow().toFile()));
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }
}
