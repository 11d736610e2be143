package dev.tidemark.remote.internal.transport;

import dev.tidemark.remote.internal.wire.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request or a reply as it came: its id, and which of the possible bodies it has.
 *
 * @param id the id; zero without one
 * @param kind the number of the field that the body is in; zero without one
 * @param body the body, if it is a message
 * @param whole the request or reply itself
 */
public record Envelope(long id, int kind, @Nullable FieldReader body, FieldReader whole) {
  private static final int ID = 1;

  /** Fields behind the bodies, which a later release may add, are skipped. */
  private static final int LAST_BODY = 15;

  /**
   * Opens a request or a reply. One with several bodies is malformed: no client sends such, and
   * protobuf would merge the bodies.
   */
  public static Envelope open(FieldReader fields) {
    long id = 0;
    int kind = 0;
    FieldReader body = null;
    while (fields.next()) {
      if (fields.field() == ID) {
        id = fields.number();
      } else if (fields.field() > LAST_BODY) {
        fields.skip();
      } else if (kind != 0) {
        throw new MalformedFrameException("it has more than one body");
      } else {
        kind = fields.field();
        if (fields.hasLength()) {
          body = fields.message();
        } else {
          fields.skip();
        }
      }
    }
    return new Envelope(id, kind, body, fields);
  }

  /** Bytes of the whole. */
  public int size() {
    return whole.size();
  }

  /**
   * Whether it, its body, or what the body begins with, all of it taken together, has more than
   * {@code most} fields. Short ones become objects that take much more memory than they have bytes.
   */
  public boolean hasMoreFieldsThan(int most) {
    if (whole.count(most + 1) > most || (body != null && body.count(most + 1) > most)) {
      return true;
    }
    boolean nested =
        kind == Request.ESTIMATE_SIZE_FIELD_NUMBER
            || kind == Request.FIND_SPLIT_POINTS_FIELD_NUMBER
            || kind == Request.VERSION_AT_TIME_FIELD_NUMBER;
    return nested && body != null && body.countInMessages(most + 1) > most;
  }

  /** The body of a kind that is a message. */
  public FieldReader message() {
    if (body == null) {
      throw new MalformedFrameException("field " + kind + " is of another type");
    }
    return body;
  }
}
