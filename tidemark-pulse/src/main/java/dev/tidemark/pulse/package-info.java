/**
 * Event streams, replicated maps and worker pools. Start with {@link dev.tidemark.pulse.Pulse}.
 *
 * <p>On Tidemark's own store every call can join the caller's transaction; on Redis the same calls
 * work with what people already run, and {@link dev.tidemark.pulse.Capabilities} says what that
 * cannot promise.
 */
@NullMarked
package dev.tidemark.pulse;

import org.jspecify.annotations.NullMarked;
