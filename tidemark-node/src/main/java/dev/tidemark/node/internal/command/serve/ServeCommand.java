package dev.tidemark.node.internal.command.serve;

import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Misuse;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shares the database in a directory with other processes. */
@Command(
    name = "serve",
    description = "Share the database in DIRECTORY with other processes, until stopped.",
    footer = {
      "%nTIDEMARK_JAVA_OPTS are options for its JVM, such as -Xmx8g.",
      "%nExamples:",
      "  ./tidemark serve /var/lib/shop",
      "  ./tidemark serve /var/lib/shop --port 7421 --token-file tokens",
      "  ./tidemark serve --config /etc/tidemark/shop.conf",
      "  ./tidemark serve /var/lib/shop --partition-types meter,desk",
      "  ./tidemark serve /var/lib/shop --address 0.0.0.0 --tls-cert c.pem --tls-key k.pem \\",
      "      --token-file tokens"
    })
public final class ServeCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIRECTORY",
      description = "Where the database is; it is made if there is none.")
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = {
        "A file with settings, lines such as port: 7421. The names are those of these options,",
        "and directory. The command line takes precedence."
      })
  private Optional<Path> config = Optional.empty();

  @Option(
      names = "--" + ServeSettings.PORT,
      paramLabel = "N",
      description = "The port to listen on, 0 for a free one (default 7420).")
  private Optional<String> port = Optional.empty();

  @Option(
      names = "--" + ServeSettings.ADDRESS,
      paramLabel = "A",
      description = "The address to listen on (default 127.0.0.1).")
  private Optional<String> address = Optional.empty();

  @Option(
      names = "--" + ServeSettings.TOKEN_FILE,
      paramLabel = "FILE",
      description = {
        "The tokens that clients may show: lines of a role, which is read-only, read-write,",
        "operator or node, and a token, such as: read-only TOKEN",
        "(default: everybody on this machine may do everything)."
      })
  private Optional<String> tokenFile = Optional.empty();

  @Option(
      names = "--" + ServeSettings.CERTIFICATE,
      paramLabel = "FILE",
      description = "The certificate chain of the server, PEM.")
  private Optional<String> certificate = Optional.empty();

  @Option(
      names = "--" + ServeSettings.KEY,
      paramLabel = "FILE",
      description = "Its private key, PEM.")
  private Optional<String> key = Optional.empty();

  @Option(
      names = "--" + ServeSettings.CLIENT_CA,
      paramLabel = "FILE",
      description = "Authorities that must have signed the certificates of clients, PEM.")
  private Optional<String> clientAuthorities = Optional.empty();

  @Option(
      names = "--" + ServeSettings.NO_TOKENS,
      description = "Everybody may do everything though other machines reach the address.")
  private boolean noTokens;

  @Option(
      names = "--" + ServeSettings.PLAIN_TEXT,
      description = {
        "No encryption though other machines reach the address:",
        "for networks that encrypt by themselves."
      })
  private boolean plainText;

  @Option(
      names = "--" + ManagerSettings.TYPES,
      paramLabel = "TYPES",
      description = "Also manage the partitions of these types of actors, for servers elsewhere.")
  private Optional<String> partitionTypes = Optional.empty();

  @Option(
      names = "--" + ManagerSettings.PORT,
      paramLabel = "N",
      description = "The port of the partition manager, 0 for a free one (default 7500).")
  private Optional<String> partitionPort = Optional.empty();

  @Option(
      names = "--" + ManagerSettings.CLUSTER,
      paramLabel = "NAME",
      description = "Where the cluster is in the store (default partitions).")
  private Optional<String> partitionCluster = Optional.empty();

  @Option(
      names = "--" + ManagerSettings.ID,
      paramLabel = "ID",
      description = "The name of the manager among several.")
  private Optional<String> partitionId = Optional.empty();

  @Option(
      names = "--" + ManagerSettings.TOKEN_FILE,
      paramLabel = "FILE",
      description = "The token that the manager shows to servers of partitions, alone in a line.")
  private Optional<String> partitionTokenFile = Optional.empty();

  @Option(
      names = "--" + ManagerSettings.AUTHORITIES,
      paramLabel = "FILE",
      description = "Authorities that signed the certificates of those servers, PEM.")
  private Optional<String> partitionAuthorities = Optional.empty();

  @Mixin private Format format = new Format();

  /** Prints to {@code console}. */
  public ServeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> values = new LinkedHashMap<>();
    config.ifPresent(file -> values.putAll(ConfigFile.read(file, ServeSettings.NAMES)));
    directory.ifPresent(path -> values.put(ConfigFile.DIRECTORY, path.toString()));
    values.putAll(values());
    if (!values.containsKey(ConfigFile.DIRECTORY)) {
      throw new Misuse("Missing required parameter: 'DIRECTORY', or directory in --config");
    }
    ServeSettings settings =
        new ServeSettings(Path.of(values.get(ConfigFile.DIRECTORY)), values, "--");
    settings.check();
    return new Service(settings, console, format).run();
  }

  private Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    port.ifPresent(value -> values.put(ServeSettings.PORT, value));
    address.ifPresent(value -> values.put(ServeSettings.ADDRESS, value));
    tokenFile.ifPresent(value -> values.put(ServeSettings.TOKEN_FILE, value));
    certificate.ifPresent(value -> values.put(ServeSettings.CERTIFICATE, value));
    key.ifPresent(value -> values.put(ServeSettings.KEY, value));
    clientAuthorities.ifPresent(value -> values.put(ServeSettings.CLIENT_CA, value));
    partitionTypes.ifPresent(value -> values.put(ManagerSettings.TYPES, value));
    partitionPort.ifPresent(value -> values.put(ManagerSettings.PORT, value));
    partitionCluster.ifPresent(value -> values.put(ManagerSettings.CLUSTER, value));
    partitionId.ifPresent(value -> values.put(ManagerSettings.ID, value));
    partitionTokenFile.ifPresent(value -> values.put(ManagerSettings.TOKEN_FILE, value));
    partitionAuthorities.ifPresent(value -> values.put(ManagerSettings.AUTHORITIES, value));
    if (noTokens) {
      values.put(ServeSettings.NO_TOKENS, "");
    }
    if (plainText) {
      values.put(ServeSettings.PLAIN_TEXT, "");
    }
    return values;
  }
}
