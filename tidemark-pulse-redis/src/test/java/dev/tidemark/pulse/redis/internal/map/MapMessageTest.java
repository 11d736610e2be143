package dev.tidemark.pulse.redis.internal.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.pulse.internal.spi.MapStore.Update;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MapMessageTest {
  /** The vector of docs/formats/pulse-redis.md. */
  @Test
  void setIsReadAsDocumented() {
    byte[] message =
        Key.hex("7365743a" + "010000006b" + "020000007632" + "0100000032" + "0100000037")
            .toByteArray();

    MapMessage read = MapMessage.parse(message).orElseThrow();

    assertThat(read.incarnation()).isEqualTo(7);
    assertThat(read.revision()).isEqualTo(2);
    assertThat(read.update().orElseThrow())
        .isInstanceOfSatisfying(
            Update.Put.class,
            put -> {
              assertThat(put.key()).isEqualTo("k");
              assertThat(put.value()).asString().isEqualTo("v2");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // nothing
        "7365", // no colon
        "7365743a", // no fields
        "7365743a01", // half a length
        "7365743affffffff", // a negative length
        "7365743a0500000061", // a field that ends behind the message
        "7365743a" + "010000006b" + "0100000076" + "0100000078" + "0100000037", // no revision
        "6a756d703a" + "0100000032" + "0100000037", // an unknown word
      })
  void whatIsNoMessageIsNone(String hex) {
    assertThat(MapMessage.parse(Key.hex(hex).toByteArray())).isEmpty();
  }
}
