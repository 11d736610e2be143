package dev.tidemark.grpc;

import java.nio.file.Path;

/**
 * Which servers a client trusts on {@code tidemarks://} addresses, and how it identifies itself.
 * Files are PEM; they are read when the client connects. {@code tidemark://} addresses, where all
 * is sent in plain text, must be of this machine, unless the security is {@link
 * PlainTextBeyondLoopback}.
 */
public sealed interface ClientSecurity {
  /** Servers whose certificate is signed by an authority that the Java installation knows. */
  record JavaAuthorities() implements ClientSecurity {}

  /**
   * Any server, in plain text: for networks that encrypt. Anybody on the way can read the token and
   * the data. On {@code tidemarks://} addresses the same as {@link JavaAuthorities}.
   */
  record PlainTextBeyondLoopback() implements ClientSecurity {}

  /**
   * Servers whose certificate is signed by one of these.
   *
   * @param authorities certificates
   */
  record Authorities(Path authorities) implements ClientSecurity {}

  /**
   * These authorities, and this client presents a certificate of its own.
   *
   * @param authorities certificates by which that of the server must be signed
   * @param certificateChain this client's certificate, then those that signed it
   * @param privateKey the key of that certificate, PKCS #8 without a password
   */
  record Mutual(Path authorities, Path certificateChain, Path privateKey)
      implements ClientSecurity {}
}
