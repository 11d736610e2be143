package dev.tidemark.node.internal.stores;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.AccessToken;
import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.ClientSecurity;
import dev.tidemark.grpc.TokenFile;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.remote.RemoteDatabase;
import dev.tidemark.remote.RemoteOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How a command connects to a served store: the options for that, which directories refuse. */
public final class Connection {
  private static final String TOKEN_FILE = "--token-file";
  private static final String AUTHORITIES = "--tls-ca";
  private static final String CERTIFICATE = "--tls-cert";
  private static final String KEY = "--tls-key";

  /** What every directory with a database has. */
  private static final String MARKER = "TIDEMARK";

  @Option(
      names = TOKEN_FILE,
      paramLabel = "FILE",
      description = "Served store: a file with the token to show, alone in a line.")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = AUTHORITIES,
      paramLabel = "FILE",
      description = "Served store: authorities that signed the certificate of the server, PEM.")
  private Optional<Path> authorities = Optional.empty();

  @Option(
      names = CERTIFICATE,
      paramLabel = "FILE",
      description = "Served store: the certificate chain to show to the server, PEM.")
  private Optional<Path> certificate = Optional.empty();

  @Option(
      names = KEY,
      paramLabel = "FILE",
      description = "Served store: the private key of that certificate, PEM.")
  private Optional<Path> key = Optional.empty();

  /** Whether {@code store} is the address of a served one. */
  public static boolean isServed(String store) {
    return store.matches("(?s)\\w+://.*");
  }

  /**
   * Refuses options that make no sense for {@code stores}, before anything is opened.
   *
   * @throws Misuse saying which
   */
  public void check(String... stores) {
    if (certificate.isPresent() != key.isPresent()) {
      throw new Misuse(CERTIFICATE + " and " + KEY + " go together");
    }
    if (certificate.isPresent() && authorities.isEmpty()) {
      throw new Misuse("%s and %s need %s".formatted(CERTIFICATE, KEY, AUTHORITIES));
    }
    Optional<String> given =
        authorities.isPresent() ? Optional.of(AUTHORITIES) : tokenFile.map(file -> TOKEN_FILE);
    if (given.isPresent() && List.of(stores).stream().noneMatch(Connection::isServed)) {
      throw new Misuse(
          "%s is for a served store, such as tidemarks://HOST:PORT".formatted(given.get()));
    }
  }

  /** Opens {@code store}, which must be there; the caller closes it. */
  public Database open(Console console, String store) {
    if (isServed(store)) {
      checkAddress(store);
      RemoteOptions options = options(console);
      return RemoteDatabase.connect(store, defaults -> options);
    }
    return openDirectory(store);
  }

  /**
   * Refuses what is no address of a server.
   *
   * @throws Misuse saying how one looks
   */
  public static void checkAddress(String address) {
    try {
      Address unused = Address.parse(address, RemoteDatabase.DEFAULT_PORT);
    } catch (UsageException wrong) {
      throw new Misuse(String.valueOf(wrong.getMessage()), wrong);
    }
  }

  /** Opens the database in the directory {@code store}, which must be there. */
  public static EmbeddedDatabase openDirectory(String store) {
    Path directory =
        existing(store, ". A program makes it when it opens its store, and so does serve");
    if (!Files.exists(directory.resolve(MARKER))) {
      throw new IllegalArgumentException(
          "There is no database in %s. A program makes one when it opens its store there, and so does serve; of a backup, restore does"
              .formatted(directory));
    }
    try {
      return EmbeddedDatabase.open(directory);
    } catch (StorageException refused) {
      if (refused.kind() != StorageException.Kind.IN_USE) {
        throw refused;
      }
      throw new IllegalStateException(
          "The database in %s is in use by another process. If that serves it, give its address, such as tidemark://127.0.0.1; else wait for its end"
              .formatted(directory),
          refused);
    }
  }

  /**
   * The directory with this name.
   *
   * @throws Misuse if it is an address
   */
  public static Path directory(String name) {
    if (isServed(name)) {
      throw new Misuse("%s is an address; this command takes a directory".formatted(name));
    }
    return Path.of(name);
  }

  /** The directory with this name, which must be there. */
  public static Path existing(String name) {
    return existing(name, "");
  }

  private static Path existing(String name, String advice) {
    Path directory = directory(name).toAbsolutePath().normalize();
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException(
          Files.exists(directory)
              ? "%s is a file, and not a directory".formatted(directory)
              : "There is no directory " + directory + advice);
    }
    return directory;
  }

  private RemoteOptions options(Console console) {
    RemoteOptions options = RemoteOptions.DEFAULTS;
    if (authorities.isPresent()) {
      options = options.withSecurity(security(readable(AUTHORITIES, authorities.get())));
    }
    return tokenFile.isEmpty()
        ? options
        : options.withToken(token(console, readable(TOKEN_FILE, tokenFile.get())));
  }

  private ClientSecurity security(Path trusted) {
    return certificate
        .<ClientSecurity>map(
            chain ->
                new ClientSecurity.Mutual(
                    trusted, readable(CERTIFICATE, chain), readable(KEY, key.orElseThrow())))
        .orElseGet(() -> new ClientSecurity.Authorities(trusted));
  }

  private static AccessToken token(Console console, Path path) {
    try {
      TokenFile file = new TokenFile(path);
      if (file.isReadableByOthers()) {
        console.complain("warning: others can read the token; run: chmod 600 " + path);
      }
      return file.single();
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read the token in " + path, failure);
    }
  }

  private static Path readable(String option, Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(
          "The file %s of %s cannot be read".formatted(file, option));
    }
    return file;
  }
}
