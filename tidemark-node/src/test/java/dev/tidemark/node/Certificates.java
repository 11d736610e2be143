package dev.tidemark.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** Self-signed certificates for 127.0.0.1 and localhost, made by the JDK's keytool. */
final class Certificates {
  private static final String PASSWORD = "changeit";

  private Certificates() {}

  /** Makes a certificate and its key beside it; returns the PEM file of the certificate. */
  static Path create(Path directory, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-validity",
                "2",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-ext",
                "bc:c")
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException("keytool ended with " + keytool.exitValue());
    }
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    Path certificate = directory.resolve(name + ".pem");
    write(certificate, "CERTIFICATE", keys.getCertificate(name).getEncoded());
    write(key(certificate), "PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
    return certificate;
  }

  /** The PEM file of the key that belongs to {@code certificate}. */
  static Path key(Path certificate) {
    return certificate.resolveSibling(certificate.getFileName() + ".key");
  }

  private static void write(Path file, String label, byte[] content) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label));
  }
}
