package dev.tidemark.node;

import dev.tidemark.grpc.AccessToken;
import dev.tidemark.grpc.ClientSecurity;
import dev.tidemark.grpc.TokenFile;
import dev.tidemark.remote.RemoteOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What stands behind a command that looks at a store.
 *
 * @param others all but the options of the connection, in their order
 * @param values the options of the connection to a served store that were given, by name
 */
record ClientArguments(List<String> others, Map<String, String> values) {
  static final String USAGE =
      """
        For a STORE that is served, with TLS at tidemarks://HOST:PORT:
        --token-file F  a file with the token to show, alone in a line
        --tls-ca CA     authorities that must have signed the certificate of the server, PEM
        --tls-cert C    the certificate chain to show to the server, PEM; with
        --tls-key K     its private key, PEM""";

  private static final String TOKEN_FILE = "--token-file";
  private static final String AUTHORITIES = "--tls-ca";
  private static final String CERTIFICATE = "--tls-cert";
  private static final String KEY = "--tls-key";
  private static final Set<String> OPTIONS = Set.of(TOKEN_FILE, AUTHORITIES, CERTIFICATE, KEY);

  /** Defends the collections. */
  ClientArguments {
    others = List.copyOf(others);
    values = Map.copyOf(values);
  }

  /**
   * Takes the options of the connection out of {@code args}, wherever they stand.
   *
   * @throws IllegalArgumentException if they make no sense, whatever is on the disk
   */
  static ClientArguments parse(String[] args) {
    List<String> others = new ArrayList<>();
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < args.length; i++) {
      if (!OPTIONS.contains(args[i])) {
        others.add(args[i]);
      } else {
        String option = args[i++];
        if (i == args.length || values.put(option, args[i]) != null) {
          throw new IllegalArgumentException(option + " takes one value, once");
        }
      }
    }
    ClientArguments arguments = new ClientArguments(others, values);
    arguments.check();
    return arguments;
  }

  private void check() {
    if (values.containsKey(CERTIFICATE) != values.containsKey(KEY)) {
      throw new IllegalArgumentException(CERTIFICATE + " and " + KEY + " go together");
    }
    if (values.containsKey(CERTIFICATE) && !values.containsKey(AUTHORITIES)) {
      throw new IllegalArgumentException(
          "%s and %s need %s".formatted(CERTIFICATE, KEY, AUTHORITIES));
    }
    if (!values.isEmpty() && others.stream().noneMatch(ClientArguments::isServed)) {
      throw new IllegalArgumentException(
          "%s is for a served store, such as tidemarks://HOST:PORT"
              .formatted(values.keySet().stream().sorted().findFirst().orElseThrow()));
    }
  }

  /** Whether {@code store} is the address of a served one. */
  static boolean isServed(String store) {
    return store.matches("(?s)\\w+://.*");
  }

  /**
   * The options for a client, with what the files hold. Says on {@code warnings} what is unwise.
   *
   * @throws IllegalArgumentException if a file is missing or malformed
   */
  RemoteOptions options(PrintStream warnings) {
    RemoteOptions options = RemoteOptions.DEFAULTS;
    Optional<Path> authorities = file(AUTHORITIES);
    if (authorities.isPresent()) {
      options = options.withSecurity(security(authorities.get()));
    }
    Optional<Path> token = file(TOKEN_FILE);
    return token.isEmpty() ? options : options.withToken(token(token.get(), warnings));
  }

  private ClientSecurity security(Path authorities) {
    return file(CERTIFICATE)
        .<ClientSecurity>map(
            chain -> new ClientSecurity.Mutual(authorities, chain, file(KEY).orElseThrow()))
        .orElseGet(() -> new ClientSecurity.Authorities(authorities));
  }

  private static AccessToken token(Path path, PrintStream warnings) {
    try {
      TokenFile file = new TokenFile(path);
      if (file.isReadableByOthers()) {
        warnings.printf("tidemark: warning: others can read the token; run: chmod 600 %s%n", path);
      }
      return file.single();
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read the token in " + path, failure);
    }
  }

  private Optional<Path> file(String option) {
    Optional<Path> file = Optional.ofNullable(values.get(option)).map(Path::of);
    if (file.isPresent() && !Files.isReadable(file.get())) {
      throw new IllegalArgumentException(
          "The file %s of %s cannot be read".formatted(file.get(), option));
    }
    return file;
  }
}
