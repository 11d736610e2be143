package dev.tidemark.remote.internal;

import dev.tidemark.remote.AccessToken;
import dev.tidemark.remote.Role;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lets clients in that show a token the server knows. */
final class Doorkeeper implements ServerInterceptor {
  /** What the client of a call may do. */
  static final Context.Key<Role> ROLE = Context.key("tidemark-role");

  private final Map<AccessToken, Role> tokens;
  private final ServerCounters counters;

  Doorkeeper(Map<AccessToken, Role> tokens, ServerCounters counters) {
    this.tokens = tokens;
    this.counters = counters;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Role role = tokens.isEmpty() ? Role.READ_WRITE : roleOf(headers.get(Dialer.AUTHORIZATION));
    if (role == null) {
      counters.clientsRefused.increment();
      call.close(
          Status.UNAUTHENTICATED.withDescription(
              "it shows no access token that the server knows (RemoteOptions.withToken)"),
          new Metadata());
      return new ServerCall.Listener<Q>() {};
    }
    return Contexts.interceptCall(Context.current().withValue(ROLE, role), call, headers, next);
  }

  /** Compares with every token, in a time that does not depend on where they differ. */
  private @Nullable Role roleOf(@Nullable String header) {
    byte[] shown = bytes(header == null ? "" : header);
    Role role = null;
    for (Map.Entry<AccessToken, Role> known : tokens.entrySet()) {
      if (MessageDigest.isEqual(bytes(Dialer.BEARER + known.getKey().secret()), shown)) {
        role = known.getValue();
      }
    }
    return role;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
