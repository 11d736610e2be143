package dev.tidemark.foundationdb;

import dev.tidemark.kv.UsageException;
import java.nio.file.Path;

/**
 * The files of a client that speaks TLS with its cluster, in PEM.
 *
 * @param certificate the client's certificate chain
 * @param key the private key for it, without a password
 * @param authorities the certificates of the authorities that the client trusts
 */
public record TlsFiles(Path certificate, Path key, Path authorities) {
  /** Refuses paths that are empty. */
  public TlsFiles {
    if (isNone(certificate) || isNone(key) || isNone(authorities)) {
      throw UsageException.invalidOption(
          "TLS needs all three files: certificate is \"%s\", key is \"%s\", authorities is \"%s\""
              .formatted(certificate, key, authorities));
    }
  }

  private static boolean isNone(Path path) {
    return path.toString().isEmpty();
  }
}
