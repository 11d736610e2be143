package dev.tidemark.grpc.internal.security;

import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.grpc.ServerSecurity;
import dev.tidemark.kv.UsageException;
import java.net.InetSocketAddress;

/** A server that other machines reach knows its clients, unless the user has chosen otherwise. */
public final class TokenRule {
  private TokenRule() {}

  /** Throws if any client that reaches {@code address} could do everything without a token. */
  public static void check(InetSocketAddress address, ListenerOptions options) {
    boolean known =
        !options.tokens().isEmpty() || options.security() instanceof ServerSecurity.MutualTls;
    if (!known && !options.allowsEverybody() && !address.getAddress().isLoopbackAddress()) {
      throw UsageException.invalidOption(
          ("Everybody who reaches %s could do everything. Give clients tokens (withToken), ask for"
                  + " their certificates (MutualTls), or allow it with withEverybodyAllowed")
              .formatted(address.getHostString()));
    }
  }
}
