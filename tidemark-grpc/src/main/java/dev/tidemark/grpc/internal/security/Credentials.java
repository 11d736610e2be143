package dev.tidemark.grpc.internal.security;

import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.ClientSecurity;
import dev.tidemark.grpc.ServerSecurity;
import dev.tidemark.kv.UsageException;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import java.io.IOException;

/** Certificates and keys, read from their files. */
public final class Credentials {
  private Credentials() {}

  /** The credentials of a server. */
  public static ServerCredentials of(ServerSecurity security) {
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

  /** The credentials of a client, and the authorities that it trusts. */
  public static ChannelCredentials of(Address address, ClientSecurity security) {
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

  private static UsageException unreadable(Object security, Exception cause) {
    return UsageException.invalidOption(
        "The certificates of %s cannot be used: %s. They must be PEM files, keys in PKCS #8"
            .formatted(security, cause));
  }
}
