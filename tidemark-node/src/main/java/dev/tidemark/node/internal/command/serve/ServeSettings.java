package dev.tidemark.node.internal.command.serve;

import dev.tidemark.grpc.ServerSecurity;
import dev.tidemark.grpc.TokenFile;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.remote.RemoteDatabase;
import dev.tidemark.remote.ServerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a server is to do, from the command line or a file.
 *
 * @param directory where the database is
 * @param values the settings that were given, by name
 * @param prefix what stands before a name where the user wrote it
 */
record ServeSettings(Path directory, Map<String, String> values, String prefix) {
  static final String PORT = "port";
  static final String ADDRESS = "address";
  static final String TOKEN_FILE = "token-file";
  static final String CERTIFICATE = "tls-cert";
  static final String KEY = "tls-key";
  static final String CLIENT_CA = "tls-client-ca";
  static final String PLAIN_TEXT = "plain-text";
  static final String NO_TOKENS = "no-tokens";
  private static final int PORT_MAX = 65_535;
  private static final List<String> FILES =
      List.of(
          TOKEN_FILE,
          CERTIFICATE,
          KEY,
          CLIENT_CA,
          ManagerSettings.TOKEN_FILE,
          ManagerSettings.AUTHORITIES);

  /** Everything that a file may set. */
  static final List<String> NAMES =
      Stream.concat(
              Stream.of(
                  ConfigFile.DIRECTORY,
                  PORT,
                  ADDRESS,
                  TOKEN_FILE,
                  CERTIFICATE,
                  KEY,
                  CLIENT_CA,
                  PLAIN_TEXT,
                  NO_TOKENS),
              ManagerSettings.NAMES.stream())
          .toList();

  /** Defends the map. */
  ServeSettings {
    values = Map.copyOf(values);
  }

  /**
   * Refuses settings that make no sense, whatever is on the disk.
   *
   * @throws Misuse saying which
   */
  void check() {
    port();
    checkTls();
    checkTokens();
    manager().check();
  }

  private int port() {
    return port(name(PORT), value(PORT).orElse(Integer.toString(RemoteDatabase.DEFAULT_PORT)));
  }

  /**
   * The number of a port.
   *
   * @throws Misuse if {@code text} is none
   */
  static int port(String name, String text) {
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > PORT_MAX) {
      throw new Misuse("%s takes a number from 0 to 65535, not %s".formatted(name, text));
    }
    return Integer.parseInt(text);
  }

  /** Whether {@code name} is on or off. */
  static boolean isSwitch(String name) {
    return name.equals(PLAIN_TEXT) || name.equals(NO_TOKENS);
  }

  /** Whether the value of {@code name} is a path. */
  static boolean isPath(String name) {
    return name.equals(ConfigFile.DIRECTORY) || FILES.contains(name);
  }

  /** The partition manager beside the store. */
  ManagerSettings manager() {
    return new ManagerSettings(
        values.entrySet().stream()
            .filter(entry -> ManagerSettings.NAMES.contains(entry.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        prefix);
  }

  private void checkTls() {
    if (values.containsKey(CERTIFICATE) != values.containsKey(KEY)) {
      throw new Misuse("%s and %s go together".formatted(name(CERTIFICATE), name(KEY)));
    }
    if (values.containsKey(PLAIN_TEXT) && values.containsKey(CERTIFICATE)) {
      throw new Misuse(
          "%s and %s exclude each other".formatted(name(PLAIN_TEXT), name(CERTIFICATE)));
    }
    if (values.containsKey(CLIENT_CA) && !values.containsKey(CERTIFICATE)) {
      throw new Misuse(
          "%s needs %s and %s".formatted(name(CLIENT_CA), name(CERTIFICATE), name(KEY)));
    }
  }

  private void checkTokens() {
    if (values.containsKey(NO_TOKENS) && values.containsKey(TOKEN_FILE)) {
      throw new Misuse("%s and %s exclude each other".formatted(name(NO_TOKENS), name(TOKEN_FILE)));
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
        throw new ServeException(
            "The file %s of %s cannot be read".formatted(file.get(), name(option)));
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
                    .formatted(name(TOKEN_FILE), name(CLIENT_CA), name(NO_TOKENS)));
      }
      if (!loopback && readable) {
        throw new ServeException(
            "Other machines reach the address %s, and plain text would show them everything;"
                    .formatted(options.host())
                + " give %s and %s, or listen on 127.0.0.1, or allow it with %s"
                    .formatted(name(CERTIFICATE), name(KEY), name(PLAIN_TEXT)));
      }
    } catch (UnknownHostException unknown) {
      throw new ServeException("There is no address %s".formatted(options.host()));
    }
  }

  private String name(String setting) {
    return prefix + setting;
  }

  private Optional<String> value(String option) {
    return Optional.ofNullable(values.get(option));
  }

  private Optional<Path> path(String option) {
    return value(option).map(Path::of);
  }
}
