package dev.tidemark.grpc.internal.security;

import dev.tidemark.grpc.AccessToken;
import io.grpc.Metadata;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** An access token as it travels with each call. */
public final class BearerToken {
  /** The header that a token travels in. */
  public static final Metadata.Key<String> HEADER =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final String SCHEME = "Bearer ";

  private BearerToken() {}

  /** The headers of a call with {@code token}. */
  public static Metadata headers(AccessToken token) {
    Metadata headers = new Metadata();
    headers.put(HEADER, SCHEME + token.secret());
    return headers;
  }

  /** Whether {@code header} holds {@code token}, in a time that does not tell where they differ. */
  public static boolean isIn(@Nullable String header, AccessToken token) {
    return MessageDigest.isEqual(
        bytes(SCHEME + token.secret()), bytes(header == null ? "" : header));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
