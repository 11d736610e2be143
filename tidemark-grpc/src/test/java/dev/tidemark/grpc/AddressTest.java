package dev.tidemark.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, tidemark://127.0.0.1:7420",
    "::1, tidemark://[::1]:7420",
    "[::1], tidemark://[::1]:7420"
  })
  void addressOfAServerIsOneForClients(String host, String uri) {
    Address address = new Address(host, 7420, false);
    assertThat(address).hasToString(uri);
    assertThat(Address.parse(URI.create(uri), 7420)).hasToString(uri);
    assertThat(Address.parse(uri, 7420)).hasToString(uri);
  }

  @ParameterizedTest
  @CsvSource({
    "tidemark://store, tidemark://store:7420",
    "tidemark://[::1]/, tidemark://[::1]:7420",
    "tidemarks://store, tidemarks://store:7420"
  })
  void addressWithoutAPortHasTheDefaultOne(String text, String address) {
    assertThat(Address.parse(text, 7420)).hasToString(address);
  }
}
