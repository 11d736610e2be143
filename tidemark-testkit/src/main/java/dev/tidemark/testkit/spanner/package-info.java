/**
 * A fake of Cloud Spanner's service for tests of programs that follow change streams: {@link
 * dev.tidemark.testkit.spanner.FakeSpanner} listens, a {@link
 * dev.tidemark.testkit.spanner.SpannerScript} answers. It knows Google's messages and gRPC, and of
 * Tidemark the clock alone.
 */
@NullMarked
package dev.tidemark.testkit.spanner;

import org.jspecify.annotations.NullMarked;
