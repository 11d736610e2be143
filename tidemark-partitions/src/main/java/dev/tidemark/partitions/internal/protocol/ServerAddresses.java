package dev.tidemark.partitions.internal.protocol;

import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.ClientSecurity;
import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;

/** Addresses of servers and managers, which rows and options hold as text. */
public final class ServerAddresses {
  private ServerAddresses() {}

  /**
   * Checks an address of some options before anything is opened.
   *
   * @param what whose address it is
   * @throws UsageException if nothing can be reached there
   */
  public static void check(String what, String text) {
    if (text.isBlank()) {
      throw UsageException.invalidOption(
          "The address of %s is empty; write host:port or tidemark://host:port".formatted(what));
    }
    parse(text, ChannelOptions.defaults());
  }

  /**
   * The address that {@code text} says: a whole one, or {@code host:port}, where the certificates
   * that a client believes decide about TLS.
   */
  public static Address parse(String text, ChannelOptions options) {
    if (text.isEmpty()) {
      throw new PartitionException(Reason.BUSY, "The server has no address yet");
    }
    if (text.contains("://")) {
      return Address.parse(text, 0);
    }
    boolean encrypted =
        options.security() instanceof ClientSecurity.Authorities
            || options.security() instanceof ClientSecurity.Mutual;
    return Address.parse((encrypted ? "tidemarks://" : "tidemark://") + text, 0);
  }
}
