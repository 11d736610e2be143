package dev.tidemark.grpc;

import java.nio.file.Path;

/** How a server's connections are protected. Files are PEM; they are read when the server opens. */
public sealed interface ServerSecurity {
  /**
   * No encryption. Anybody who sees the packets can read them, tokens included.
   *
   * @param beyondLoopback whether the server may listen on an address that other machines reach
   */
  record PlainText(boolean beyondLoopback) implements ServerSecurity {}

  /**
   * TLS; clients present no certificate.
   *
   * @param certificateChain the server's certificate, then those that signed it
   * @param privateKey the key of that certificate, PKCS #8 without a password
   */
  record Tls(Path certificateChain, Path privateKey) implements ServerSecurity {}

  /**
   * TLS; clients present a certificate too.
   *
   * @param certificateChain the server's certificate, then those that signed it
   * @param privateKey the key of that certificate, PKCS #8 without a password
   * @param clientAuthorities certificates by which those of clients must be signed
   */
  record MutualTls(Path certificateChain, Path privateKey, Path clientAuthorities)
      implements ServerSecurity {}
}
