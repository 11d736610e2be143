package dev.tidemark.grpc.internal.server;

import dev.tidemark.grpc.AccessToken;
import dev.tidemark.grpc.Caller;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.internal.security.BearerToken;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Admits calls with a token whose role includes the one that their method requires. */
public final class Doorkeeper implements ServerInterceptor {
  private final Map<AccessToken, Role> tokens;
  private final Map<String, Role> required;
  private final Function<Role, Caller> callers;
  private final LongAdder refused = new LongAdder();

  /**
   * A doorkeeper for methods with {@code required} roles, by their full names.
   *
   * @param callers makes the caller of a role
   */
  public Doorkeeper(
      Map<AccessToken, Role> tokens, Map<String, Role> required, Function<Role, Caller> callers) {
    this.tokens = Map.copyOf(tokens);
    this.required = Map.copyOf(required);
    this.callers = callers;
  }

  /** How many calls were refused. */
  public long refused() {
    return refused.sum();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Role role = tokens.isEmpty() ? Role.NODE : roleOf(headers.get(BearerToken.HEADER));
    if (role == null) {
      return refuse(call, Status.UNAUTHENTICATED, "it shows no access token that the server knows");
    }
    String method = call.getMethodDescriptor().getFullMethodName();
    Role needed = required.getOrDefault(method, Role.NODE);
    if (!role.includes(needed)) {
      return refuse(
          call,
          Status.PERMISSION_DENIED,
          "its token has the role %s, and %s requires %s".formatted(role, method, needed));
    }
    Context context = Context.current().withValue(Caller.KEY, callers.apply(role));
    return Contexts.interceptCall(context, call, headers, next);
  }

  private <Q> ServerCall.Listener<Q> refuse(ServerCall<Q, ?> call, Status status, String why) {
    refused.increment();
    call.close(status.withDescription(why), new Metadata());
    return new ServerCall.Listener<Q>() {};
  }

  /** Compares with every token, in a time that does not depend on where they differ. */
  private @Nullable Role roleOf(@Nullable String header) {
    Role role = null;
    for (Map.Entry<AccessToken, Role> known : tokens.entrySet()) {
      if (BearerToken.isIn(header, known.getKey())) {
        role = known.getValue();
      }
    }
    return role;
  }
}
