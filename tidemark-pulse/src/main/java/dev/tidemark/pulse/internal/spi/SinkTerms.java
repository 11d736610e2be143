package dev.tidemark.pulse.internal.spi;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.SinkOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The options that all live instances of a sink must share. With different topics, each instance
 * would acknowledge events that the others want; with different limits of deliveries, what becomes
 * of an event would depend on which instance has it.
 *
 * @param ackGrace the time to acknowledge
 * @param values the other options, in the order of {@link #NAMES}
 */
public record SinkTerms(Duration ackGrace, List<String> values) {
  private static final List<String> NAMES =
      List.of("noAck", "deliveriesMax", "deadLetters", "topic", "topicPattern");

  /** Longer texts are compared by what they begin with and their digest. */
  private static final int TEXT_MAX = 1_000;

  private static final int BEGIN_LENGTH = 100;

  /** The terms of {@code options}. */
  public static SinkTerms of(SinkOptions options) {
    return new SinkTerms(
        options.ackGrace(),
        List.of(
            Boolean.toString(options.noAck()),
            Integer.toString(options.deliveriesMax().orElse(0)),
            quoted(options.deadLetters()),
            quoted(options.topic()),
            quoted(options.topicPattern())));
  }

  /** Those that {@link #packed} has made these bytes of. */
  public static SinkTerms of(Duration ackGrace, byte[] packed) {
    Tuple tuple = Tuple.unpack(packed);
    return new SinkTerms(
        ackGrace, IntStream.range(0, NAMES.size()).mapToObj(tuple::getString).toList());
  }

  private static String quoted(Optional<String> option) {
    return option.map(SinkTerms::quoted).orElse("none");
  }

  private static String quoted(String text) {
    return text.length() <= TEXT_MAX
        ? "'" + text + "'"
        : "'" + text.substring(0, BEGIN_LENGTH) + "…' with SHA-256 " + digest(text);
  }

  private static String digest(String text) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("Every JDK has SHA-256", impossible);
    }
  }

  /** All but the grace, to be stored. */
  public byte[] packed() {
    return Tuple.of(values.toArray()).pack();
  }

  /** The refusal of an instance with these terms, while there are others with {@code theirs}. */
  public PulseException refused(String sink, String stream, SinkTerms theirs) {
    String option = "ackGrace";
    String there = theirs.ackGrace.toString();
    String here = ackGrace.toString();
    for (int i = 0; i < values.size() && there.equals(here); i++) {
      option = NAMES.get(i);
      there = theirs.values.get(i);
      here = values.get(i);
    }
    return new PulseException(
        "Sink '%s' of stream '%s' has instances with %s %s; this one asks for %s. Give all instances the same; to change it, close all first"
            .formatted(sink, stream, option, there, here));
  }
}
