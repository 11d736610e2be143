package dev.tidemark.remote;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.security.Security;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Host names that tests give addresses to. All others are what they are on this machine. */
public final class TestNames extends InetAddressResolverProvider {
  private static final Map<String, List<String>> NAMES = new ConcurrentHashMap<>();

  static {
    // The JVM asks again whenever a name is used.
    Security.setProperty("networkaddress.cache.ttl", "0");
  }

  /** Lets {@code host} have these addresses from now on. */
  static void set(String host, String... addresses) {
    NAMES.put(host, List.of(addresses));
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return new Resolver(configuration.builtinResolver());
  }

  @Override
  public String name() {
    return "names of tests";
  }

  private record Resolver(InetAddressResolver others) implements InetAddressResolver {
    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
      List<String> addresses = NAMES.get(host);
      if (addresses == null) {
        return others.lookupByName(host, policy);
      }
      Stream.Builder<InetAddress> found = Stream.builder();
      for (String address : addresses) {
        found.add(InetAddress.getByAddress(host, InetAddress.getByName(address).getAddress()));
      }
      return found.build();
    }

    @Override
    public String lookupByAddress(byte[] address) throws UnknownHostException {
      return others.lookupByAddress(address);
    }
  }
}
