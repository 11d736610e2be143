package dev.tidemark.partitions.etcd;

import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How etcd is reached, and where its rows are kept. Immutable; {@code with…} make copies. */
public final class EtcdOptions {
  private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);

  private final List<URI> endpoints;
  private final String prefix;
  private final Duration timeout;
  private final int operationsMax;
  private final Optional<Login> login;
  private final Optional<Tls> tls;

  /** A name and its password, which is never printed. */
  record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  /** Whom to trust, and who this is. */
  record Tls(Path authorities, Optional<Path> certificate, Optional<Path> privateKey) {}

  private EtcdOptions(
      List<URI> endpoints,
      String prefix,
      Duration timeout,
      int operationsMax,
      Optional<Login> login,
      Optional<Tls> tls) {
    this.endpoints = endpoints;
    this.prefix = prefix;
    this.timeout = timeout;
    this.operationsMax = operationsMax;
    this.login = login;
    this.tls = tls;
    check();
  }

  private void check() {
    if (endpoints.isEmpty()) {
      throw UsageException.invalidOption("There is no endpoint; name one, like http://etcd:2379");
    }
    for (URI endpoint : endpoints) {
      boolean known = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
      if (!known || endpoint.getHost() == null || endpoint.getPort() < 0) {
        throw UsageException.invalidOption(
            "The endpoint '%s' is no address like http://etcd:2379".formatted(endpoint));
      }
      if (tls.isPresent() && "http".equals(endpoint.getScheme())) {
        throw UsageException.invalidOption(
            "The endpoint '%s' is plain text and the options have TLS; write https"
                .formatted(endpoint));
      }
    }
    if (prefix.isBlank()) {
      throw UsageException.invalidOption("The prefix is empty; name one, like /tidemark/shop/");
    }
    OptionChecks.duration("timeout", timeout, LEAST_TIMEOUT);
    OptionChecks.atLeast("operationsMax", operationsMax, 16);
  }

  /**
   * An etcd at these addresses, like {@code http://etcd-1:2379}.
   *
   * @throws UsageException if there is none, or one is no such address
   */
  public static EtcdOptions at(String... endpoints) {
    try {
      return new EtcdOptions(
          Stream.of(endpoints).map(URI::create).toList(),
          "/tidemark/partitions/",
          Duration.ofSeconds(5),
          128,
          Optional.empty(),
          Optional.empty());
    } catch (IllegalArgumentException noAddress) {
      throw UsageException.invalidOption(
          "An endpoint is no address like http://etcd:2379: " + noAddress.getMessage());
    }
  }

  /** The addresses. */
  public List<URI> endpoints() {
    return endpoints;
  }

  /** What all keys begin with. Default {@code /tidemark/partitions/}. */
  public String prefix() {
    return prefix;
  }

  /** How long a call may take. Default 5 seconds; keep it below half of the leases. */
  public Duration timeout() {
    return timeout;
  }

  /** How many operations etcd takes in a transaction. Default 128, which is etcd's. */
  public int operationsMax() {
    return operationsMax;
  }

  Optional<Login> login() {
    return login;
  }

  Optional<Tls> tls() {
    return tls;
  }

  /** These options with another beginning of all keys. Each cluster needs one of its own. */
  public EtcdOptions withPrefix(String other) {
    return new EtcdOptions(endpoints, other, timeout, operationsMax, login, tls);
  }

  /** These options with another limit for a call. */
  public EtcdOptions withTimeout(Duration other) {
    return new EtcdOptions(endpoints, prefix, other, operationsMax, login, tls);
  }

  /** These options for an etcd that was started with another {@code --max-txn-ops}. */
  public EtcdOptions withOperationsMax(int other) {
    return new EtcdOptions(endpoints, prefix, timeout, other, login, tls);
  }

  /** These options with a user of etcd, who may read and write below the prefix. */
  public EtcdOptions withLogin(String user, String password) {
    return new EtcdOptions(
        endpoints, prefix, timeout, operationsMax, Optional.of(new Login(user, password)), tls);
  }

  /**
   * These options with TLS; the endpoints are {@code https}.
   *
   * @param authorities a PEM file with the certificates that are trusted
   */
  public EtcdOptions withTls(Path authorities) {
    return with(new Tls(authorities, Optional.empty(), Optional.empty()));
  }

  /**
   * These options with TLS and a certificate of this client.
   *
   * @param authorities a PEM file with the certificates that are trusted
   * @param certificate a PEM file
   * @param privateKey a PEM file, PKCS 8
   */
  public EtcdOptions withTls(Path authorities, Path certificate, Path privateKey) {
    return with(new Tls(authorities, Optional.of(certificate), Optional.of(privateKey)));
  }

  private EtcdOptions with(Tls other) {
    return new EtcdOptions(endpoints, prefix, timeout, operationsMax, login, Optional.of(other));
  }

  @Override
  public String toString() {
    return "etcd %s, prefix %s, timeout %s%s%s"
        .formatted(
            endpoints,
            prefix,
            timeout,
            login.map(user -> ", as " + user).orElse(""),
            tls.isPresent() ? ", TLS" : "");
  }
}
