package dev.tidemark.node;

import dev.tidemark.grpc.ServerSecurity;
import dev.tidemark.grpc.TokenFile;
import dev.tidemark.remote.RemoteDatabase;
import dev.tidemark.remote.ServerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What stands behind {@code serve}.
 *
 * @param directory where the database is
 * @param values the options that were given, by name
 */
record ServeArguments(Path directory, Map<String, String> values) {
  static final String USAGE =
      """
      Usage: tidemark serve DIRECTORY [OPTION]...
        --port N            the port to listen on, 0 for a free one (default 7420)
        --address A         the address to listen on (default 127.0.0.1)
        --token-file F      the tokens that clients may show, lines of: read-write TOKEN
                            or: read-only TOKEN (default: everybody on this machine may do
                            everything)
        --tls-cert C        the certificate chain of the server, PEM; with
        --tls-key K         its private key, PEM
        --tls-client-ca CA  authorities that must have signed the certificates of clients, PEM
        --no-tokens         everybody may do everything though other machines reach the address
        --plain-text        no encryption though other machines reach the address: for networks
                            that encrypt by themselves""";

  private static final String PORT = "--port";
  private static final String ADDRESS = "--address";
  private static final String TOKEN_FILE = "--token-file";
  private static final String CERTIFICATE = "--tls-cert";
  private static final String KEY = "--tls-key";
  private static final String CLIENT_CA = "--tls-client-ca";
  private static final String PLAIN_TEXT = "--plain-text";
  private static final String NO_TOKENS = "--no-tokens";
  private static final Set<String> SWITCHES = Set.of(PLAIN_TEXT, NO_TOKENS);
  private static final Set<String> OPTIONS =
      Set.of(PORT, ADDRESS, TOKEN_FILE, CERTIFICATE, KEY, CLIENT_CA);
  private static final List<String> FILES = List.of(TOKEN_FILE, CERTIFICATE, KEY, CLIENT_CA);

  /** Defends the map. */
  ServeArguments {
    values = Map.copyOf(values);
  }

  /**
   * Reads the arguments from the one after {@code serve} on.
   *
   * @throws IllegalArgumentException if they make no sense, whatever is on the disk
   */
  static ServeArguments parse(String[] args) {
    if (args.length < 2 || args[1].startsWith("-")) {
      throw new IllegalArgumentException("serve needs a DIRECTORY first");
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 2; i < args.length; i++) {
      String option = args[i];
      if (SWITCHES.contains(option)) {
        values.put(option, "");
      } else if (!OPTIONS.contains(option)) {
        throw new IllegalArgumentException("serve has no option " + option);
      } else if (++i == args.length || values.put(option, args[i]) != null) {
        throw new IllegalArgumentException(option + " takes one value, once");
      }
    }
    ServeArguments arguments = new ServeArguments(Path.of(args[1]), values);
    arguments.port();
    arguments.checkTls();
    arguments.checkTokens();
    return arguments;
  }

  private int port() {
    String text = value(PORT).orElse(Integer.toString(RemoteDatabase.DEFAULT_PORT));
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65_535) {
      throw new IllegalArgumentException(
          "%s takes a number from 0 to 65535, not %s".formatted(PORT, text));
    }
    return Integer.parseInt(text);
  }

  private void checkTls() {
    if (values.containsKey(CERTIFICATE) != values.containsKey(KEY)) {
      throw new IllegalArgumentException(CERTIFICATE + " and " + KEY + " go together");
    }
    if (values.containsKey(PLAIN_TEXT) && values.containsKey(CERTIFICATE)) {
      throw new IllegalArgumentException(
          "%s and %s exclude each other".formatted(PLAIN_TEXT, CERTIFICATE));
    }
    if (values.containsKey(CLIENT_CA) && !values.containsKey(CERTIFICATE)) {
      throw new IllegalArgumentException(
          "%s needs %s and %s".formatted(CLIENT_CA, CERTIFICATE, KEY));
    }
  }

  private void checkTokens() {
    if (values.containsKey(NO_TOKENS) && values.containsKey(TOKEN_FILE)) {
      throw new IllegalArgumentException(
          "%s and %s exclude each other".formatted(NO_TOKENS, TOKEN_FILE));
    }
  }

  /**
   * The options for the server, with what the files hold. Says on {@code warnings} what is unwise.
   *
   * @throws ServeException if that would not be safe, or files are missing
   */
  ServerOptions options(PrintStream warnings) throws IOException {
    for (String option : FILES) {
      Optional<Path> file = path(option);
      if (file.isPresent() && !Files.isReadable(file.get())) {
        throw new ServeException("The file %s of %s cannot be read".formatted(file.get(), option));
      }
    }
    ServerOptions options = ServerOptions.DEFAULTS.withPort(port()).withSecurity(security());
    if (value(ADDRESS).isPresent()) {
      options = options.withHost(value(ADDRESS).get());
    }
    if (values.containsKey(NO_TOKENS)) {
      options = options.withEverybodyAllowed();
    }
    checkReach(options);
    if (path(TOKEN_FILE).isPresent()) {
      TokenFile tokens = new TokenFile(path(TOKEN_FILE).get());
      if (tokens.isReadableByOthers()) {
        warnings.printf(
            "tidemark: warning: others can read the tokens; run: chmod 600 %s%n",
            path(TOKEN_FILE).get());
      }
      options = options.withTokens(tokens.roles());
    }
    return options;
  }

  private ServerSecurity security() {
    if (path(CERTIFICATE).isEmpty()) {
      return new ServerSecurity.PlainText(values.containsKey(PLAIN_TEXT));
    }
    Path certificate = path(CERTIFICATE).get();
    Path key = path(KEY).orElseThrow();
    return path(CLIENT_CA)
        .<ServerSecurity>map(ca -> new ServerSecurity.MutualTls(certificate, key, ca))
        .orElseGet(() -> new ServerSecurity.Tls(certificate, key));
  }

  /** What the server would refuse too, in the words of this command. */
  private void checkReach(ServerOptions options) {
    try {
      boolean loopback = InetAddress.getByName(options.host()).isLoopbackAddress();
      boolean readable = options.security() instanceof ServerSecurity.PlainText(var ok) && !ok;
      boolean open =
          !values.containsKey(TOKEN_FILE)
              && !values.containsKey(CLIENT_CA)
              && !values.containsKey(NO_TOKENS);
      if (!loopback && !readable && open) {
        throw new ServeException(
            "Other machines reach the address %s, and everybody there could do everything;"
                    .formatted(options.host())
                + " give %s or %s, or listen on 127.0.0.1, or allow it with %s"
                    .formatted(TOKEN_FILE, CLIENT_CA, NO_TOKENS));
      }
      if (!loopback && readable) {
        throw new ServeException(
            "Other machines reach the address %s, and plain text would show them everything;"
                    .formatted(options.host())
                + " give %s and %s, or listen on 127.0.0.1, or allow it with %s"
                    .formatted(CERTIFICATE, KEY, PLAIN_TEXT));
      }
    } catch (UnknownHostException unknown) {
      throw new ServeException("There is no address %s".formatted(options.host()));
    }
  }

  private Optional<String> value(String option) {
    return Optional.ofNullable(values.get(option));
  }

  private Optional<Path> path(String option) {
    return value(option).map(Path::of);
  }
}
