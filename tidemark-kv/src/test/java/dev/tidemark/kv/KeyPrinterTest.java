package dev.tidemark.kv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeyPrinterTest {
  @Test
  void aPackedTupleIsPrintedAsOne() {
    UUID id = new UUID(1, 2);
    assertThat(Tuple.of("users", 42, null, true, 1.5f, 2.0, id).toKey())
        .hasToString(
            "(\"users\", 42, null, true, 1.5f, 2.0, 00000000-0000-0001-0000-000000000002)");
    assertThat(Tuple.of(Tuple.of("a", new byte[] {'b', 0, '"'})).toKey())
        .hasToString("((\"a\", b\"b\\x00\\x22\"))");
    assertThat(Tuple.of("say \"hi\"\n", "é\u200b").toKey())
        .hasToString("(\"say \\\"hi\\\"\\u{a}\", \"é\\u{200b}\")");
    assertThat(Tuple.of(Double.NaN, Float.NaN).toKey())
        .hasToString("(NaN:7ff8000000000000, NaN:7fc00000f)");
  }

  @Test
  void aPrefixBeforeATupleIsSetApart() {
    assertThat(Subspace.fromPrefix(Key.hex("fe9502ff")).pack("users", 42))
        .hasToString("\\xfe\\x95\\x02\\xff/(\"users\", 42)");
    assertThat(Subspace.fromPrefix(Key.utf8("a/b")).pack(new byte[] {1}))
        .hasToString("a\\x2fb/(b\"\\x01\")");
  }

  @Test
  void otherBytesAreEscaped() {
    assertThat(Key.utf8("hello")).hasToString("hello");
    assertThat(Key.utf8("hello\0\\")).hasToString("hello\\x00\\x5c");
    assertThat(Key.hex("ff2f6d")).hasToString("\\xff/m");
    assertThat(Key.EMPTY).hasToString("<empty>");
    assertThat(Key.END).hasToString("\\xff");
    assertThat(Key.utf8("ab").append((byte) 0x15, (byte) 1)).hasToString("ab\\x15\\x01");
  }

  @Test
  void theEndOfARangeIsReadable() {
    assertThat(Subspace.of("users").range()).hasToString("[(\"users\", null), (\"users\")\\xff)");
  }

  @Test
  void longKeysAreCutButDescribedInFull() {
    Key key = Tuple.of("x".repeat(5_000)).toKey();
    assertThat(key.toString()).hasSizeLessThan(350).endsWith("x… (4,704 more characters)");
    assertThat(key.describe()).hasSizeGreaterThan(15_000).endsWith("x\")");
    Key raw = Key.of("y".repeat(5_000).getBytes(StandardCharsets.US_ASCII));
    assertThat(raw.toString()).hasSizeLessThan(350).endsWith("y… (4,700 more characters)");
  }

  @Test
  void descriptionHasHexadecimalAndDecodedForm() {
    assertThat(Tuple.of("a", 42).toKey().describe()).isEqualTo("026100152a = (\"a\", 42)");
    assertThat(Key.EMPTY.describe()).isEqualTo(" = <empty>");
  }
}
