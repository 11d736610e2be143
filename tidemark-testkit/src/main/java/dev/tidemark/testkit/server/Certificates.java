package dev.tidemark.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A self-signed certificate, which is its own authority, for servers and clients of tests. It is
 * made by the JDK's keytool and valid for two days.
 *
 * @param certificate the PEM file of the certificate
 * @param privateKey the PEM file of its key, which no password protects
 */
public record Certificates(Path certificate, Path privateKey) {
  private static final String PASSWORD = "only-for-tests";
  private static final int PATIENCE_SECONDS = 60;

  /** Makes a certificate for the loopback address. */
  public static Certificates make(Path directory, String name) {
    return makeFor(directory, name, "ip:127.0.0.1", "dns:localhost");
  }

  /**
   * Makes a certificate for other hosts.
   *
   * @param directory where the files go; it must be there
   * @param name the name of the files and of the one that the certificate is about
   * @param hosts what the certificate is for, like {@code ip:127.0.0.1} or {@code dns:localhost}
   */
  public static Certificates makeFor(Path directory, String name, String... hosts) {
    Path store = directory.resolve(name + ".p12");
    try {
      run(
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-genkeypair",
              "-alias",
              name,
              "-keyalg",
              "EC",
              "-dname",
              "CN=" + name,
              "-ext",
              List.of(hosts).stream().collect(Collectors.joining(",", "san=", "")),
              "-ext",
              "bc:c",
              "-validity",
              "2",
              "-storetype",
              "PKCS12",
              "-storepass",
              PASSWORD,
              "-keystore",
              store.toString()));
      return export(store, directory, name);
    } catch (IOException failure) {
      throw new UncheckedIOException("No certificate can be made in " + directory, failure);
    } catch (GeneralSecurityException failure) {
      throw new IllegalStateException("The JDK cannot read its own key store", failure);
    }
  }

  private static void run(List<String> command) throws IOException {
    Process keytool = new ProcessBuilder(command).inheritIO().start();
    try {
      if (!keytool.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        throw new IllegalStateException("keytool made no certificate: " + command);
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for keytool", interrupt);
    } finally {
      keytool.destroyForcibly();
    }
  }

  private static Certificates export(Path store, Path directory, String name)
      throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    Path certificate = directory.resolve(name + ".pem");
    Path privateKey = directory.resolve(name + ".key");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate(name).getEncoded()));
    Files.writeString(
        privateKey, pem("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    return new Certificates(certificate, privateKey);
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), kind);
  }
}
