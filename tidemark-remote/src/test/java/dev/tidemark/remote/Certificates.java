package dev.tidemark.remote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A self-signed certificate for the loopback address, which is its own authority. */
record Certificates(Path certificate, Path privateKey) {
  private static final String PASSWORD = "only-for-tests";

  /** Makes a certificate for {@code name} with the JDK's keytool. */
  static Certificates make(Path directory, String name) throws Exception {
    Path store = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .inheritIO()
            .start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      keytool.destroyForcibly();
      throw new AssertionError("keytool made no certificate for " + name);
    }
    return export(store, directory, name);
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
        .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes), kind);
  }
}
