package dev.tidemark.grpc.internal.security;

import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.ClientSecurity;
import dev.tidemark.grpc.ServerSecurity;
import dev.tidemark.kv.UsageException;
import java.net.InetSocketAddress;

/** Plain text stays on this machine unless the user has chosen otherwise. */
public final class PlainTextRule {
  private PlainTextRule() {}

  /**
   * Throws if a server would speak plain text to other machines without being asked to.
   *
   * @param address where it is about to listen
   */
  public static void check(InetSocketAddress address, ServerSecurity security) {
    if (security instanceof ServerSecurity.PlainText(boolean beyondLoopback)
        && !beyondLoopback
        && !address.getAddress().isLoopbackAddress()) {
      throw UsageException.invalidOption(
          ("Plain text on %s could be read on its way. Use TLS (withTls), or allow it with"
                  + " withPlainTextBeyondLoopback")
              .formatted(address.getHostString()));
    }
  }

  /**
   * Throws if a client would send plain text to another machine without being asked to. Comes
   * before anything is sent: the token would be the first that others can read.
   */
  public static void check(Address address, ClientSecurity security) {
    boolean allowed =
        address.encrypted() || security instanceof ClientSecurity.PlainTextBeyondLoopback;
    if (!allowed && !address.isLoopback()) {
      throw UsageException.invalidOption(
          "Plain text to %s could be read on its way. Use %s, or allow it with"
                  .formatted(address, address.withTls())
              + " withPlainTextBeyondLoopback");
    }
  }
}
