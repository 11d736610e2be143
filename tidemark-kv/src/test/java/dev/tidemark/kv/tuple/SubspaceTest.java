package dev.tidemark.kv.tuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Versionstamp;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubspaceTest {
  private static final Subspace USERS = Subspace.of("app", "users");

  @Test
  void keysArePackedFlatHoweverTheElementsAreGiven() {
    Key expected = Tuple.of("app", "users", "ann", 42).toKey();
    Object hidden = Tuple.of("ann", 42);
    assertThat(USERS.pack("ann", 42)).isEqualTo(expected);
    assertThat(USERS.pack(Tuple.of("ann", 42))).isEqualTo(expected);
    assertThat(USERS.pack(hidden)).isEqualTo(expected);
    assertThat(USERS.pack("ann", Tuple.of(42))).isEqualTo(expected);
    assertThat(USERS.sub("ann").pack(42)).isEqualTo(expected);
    assertThat(USERS.sub(Tuple.of("ann", 42)).prefix()).isEqualTo(expected);
    assertThat(USERS.sub(hidden).pack()).isEqualTo(expected);
    assertThat(Subspace.of(Tuple.of("app", "users"))).isEqualTo(USERS).hasSameHashCodeAs(USERS);
  }

  @Test
  void nestingIsWrittenOut() {
    assertThat(USERS.pack(Tuple.of("ann", Tuple.of(42))).toHex())
        .isEqualTo(USERS.prefix().toHex() + "02616e6e0005152a00");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> USERS.pack("ann", List.of(42)))
        .withMessageContaining("Element 1 is a list, which would be nested in the key");
  }

  @Test
  void unpackTakesThePrefixOff() {
    assertThat(USERS.unpack(USERS.pack("ann", 42))).isEqualTo(Tuple.of("ann", 42));
    assertThat(USERS.unpack(USERS.prefix())).isEqualTo(Tuple.EMPTY);
    Tuple rest = USERS.unpack(USERS.pack("ann", 42)).subTuple(1, 2);
    assertThat(rest.toKey()).isEqualTo(Tuple.of(42).toKey());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> USERS.unpack(Tuple.of("app", "groups").toKey()))
        .withMessage("The key (\"app\", \"groups\") is not in the subspace (\"app\", \"users\")");
    assertThatExceptionOfType(MalformedTupleException.class)
        .isThrownBy(() -> USERS.unpack(USERS.prefix().append((byte) 0x14, (byte) 0xfe)))
        .withMessage("Not a tuple: there is no type with the code fe at byte 1");
  }

  @Test
  void rangesWithAndWithoutTheBarePrefix() {
    assertThat(USERS.range().contains(USERS.prefix())).isFalse();
    assertThat(USERS.range().contains(USERS.pack(1))).isTrue();
    assertThat(USERS.prefixRange().contains(USERS.prefix())).isTrue();
    assertThat(USERS.prefixRange().contains(USERS.prefix().append((byte) 0xff))).isTrue();
    assertThat(USERS.prefixRange().contains(Subspace.of("app", "users2").pack())).isFalse();
    assertThat(USERS.range(Tuple.of("ann"))).isEqualTo(USERS.sub("ann").range());
    assertThat(Subspace.ALL.range()).isEqualTo(KeyRange.of(Key.of((byte) 0), Key.END));
    assertThat(Subspace.ALL.prefixRange()).isEqualTo(KeyRange.ALL);
  }

  @Test
  void rawPrefixesAreKeptAsTheyAre() {
    Subspace raw = Subspace.fromPrefix(Key.hex("fe01"));
    assertThat(raw.pack(1).toHex()).isEqualTo("fe011501");
    assertThat(raw.contains(Key.hex("fe01"))).isTrue();
    assertThat(raw.contains(Key.hex("fe"))).isFalse();
    assertThat(Subspace.fromPrefix(Key.EMPTY)).isSameAs(Subspace.ALL);
  }

  @Test
  void versionstampedKeysCountTheirOffsetFromTheFirstByteOfThePrefix() {
    Subspace log = Subspace.fromPrefix(Key.hex("fe01"));
    assertThat(log.packWithVersionstamp(Tuple.of(1, Versionstamp.incomplete(2))).toHex())
        .isEqualTo("fe01150133ffffffffffffffffffff000205000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.packWithVersionstamp(Tuple.of(1)))
        .withMessageContaining("has no incomplete versionstamp");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.pack(Versionstamp.incomplete(0)))
        .withMessageContaining("use packWithVersionstamp");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.pack(Tuple.of(Versionstamp.incomplete(0))));
  }
}
