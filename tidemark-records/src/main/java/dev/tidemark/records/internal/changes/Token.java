package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangeLogException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * What identifies a partition: the commit that made it, which no other stream of a database has,
 * and its number.
 *
 * @param start the commit
 * @param number the number in keys
 */
record Token(Versionstamp start, int number) {
  private static final int BYTES = Versionstamp.COMMIT_BYTES + Integer.BYTES;

  /** The token for others, who do not look into it. */
  String text() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(
            ByteBuffer.allocate(BYTES)
                .put(start.toByteArray(), 0, Versionstamp.COMMIT_BYTES)
                .putInt(number)
                .array());
  }

  static Token parse(String text) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException wrong) {
      bytes = new byte[0];
    }
    if (bytes.length != BYTES) {
      throw new ChangeLogException(
          "'%s' is no token of a partition; ChangeLog.partitions gives them".formatted(text));
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long version = in.getLong();
    int batch = in.getShort() & 0xffff;
    return new Token(Versionstamp.of(version, batch, 0), in.getInt());
  }

  static Tuple encode(List<Token> tokens) {
    Tuple all = Tuple.EMPTY;
    for (Token token : tokens) {
      all = all.nest(Tuple.of(token.start, token.number));
    }
    return all;
  }

  static List<Token> decode(Tuple tuple) {
    List<Token> tokens = new ArrayList<>(tuple.size());
    for (int i = 0; i < tuple.size(); i++) {
      Tuple one = tuple.getTuple(i);
      tokens.add(new Token(one.getVersionstamp(0), one.getInt(1)));
    }
    return tokens;
  }
}
