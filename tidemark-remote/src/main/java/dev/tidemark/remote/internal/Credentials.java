package dev.tidemark.remote.internal;

import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.ClientSecurity;
import dev.tidemark.remote.ServerSecurity;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import java.io.IOException;

/** Certificates and keys, read from their files. */
final class Credentials {
  private Credentials() {}

  static ServerCredentials of(ServerSecurity security) {
    try {
      return switch (security) {
        case ServerSecurity.PlainText plain -> InsecureServerCredentials.create();
        case ServerSecurity.Tls(var chain, var key) ->
            TlsServerCredentials.newBuilder().keyManager(chain.toFile(), key.toFile()).build();
        case ServerSecurity.MutualTls(var chain, var key, var authorities) ->
            TlsServerCredentials.newBuilder()
                .keyManager(chain.toFile(), key.toFile())
                .trustManager(authorities.toFile())
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build();
      };
    } catch (IOException | IllegalArgumentException unreadable) {
      throw unreadable(security, unreadable);
    }
  }

  static ChannelCredentials of(Address address, ClientSecurity security) {
    if (!address.encrypted()) {
      return InsecureChannelCredentials.create();
    }
    try {
      return switch (security) {
        case ClientSecurity.JavaAuthorities known -> TlsChannelCredentials.create();
        case ClientSecurity.PlainTextBeyondLoopback any -> TlsChannelCredentials.create();
        case ClientSecurity.Authorities(var authorities) ->
            TlsChannelCredentials.newBuilder().trustManager(authorities.toFile()).build();
        case ClientSecurity.Mutual(var authorities, var chain, var key) ->
            TlsChannelCredentials.newBuilder()
                .trustManager(authorities.toFile())
                .keyManager(chain.toFile(), key.toFile())
                .build();
      };
    } catch (IOException | IllegalArgumentException unreadable) {
      throw unreadable(security, unreadable);
    }
  }

  /** Before anything is sent: the token would be the first that others can read. */
  static void checkPlainText(Address address, ClientSecurity security) {
    boolean allowed =
        address.encrypted() || security instanceof ClientSecurity.PlainTextBeyondLoopback;
    if (!allowed && !address.isLoopback()) {
      throw UsageException.invalidOption(
          ("Plain text to %s could be read on its way. Use %s, or allow it with"
                  + " RemoteOptions.withPlainTextBeyondLoopback")
              .formatted(address, address.withTls()));
    }
  }

  static UsageException unreadable(Object security, Exception cause) {
    return UsageException.invalidOption(
        "The certificates of %s cannot be used: %s. They must be PEM files, keys in PKCS #8"
            .formatted(security, cause));
  }
}
