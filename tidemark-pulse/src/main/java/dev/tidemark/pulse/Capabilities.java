package dev.tidemark.pulse;

/**
 * What the store behind a {@link Pulse} can promise beyond what every call says.
 *
 * @param name what the store is, for messages: {@code tidemark}, {@code redis 7.0.15}
 * @param transactions whether calls take a {@link dev.tidemark.kv.Transaction}; without it those
 *     overloads throw {@link UnsupportedOperationException}
 * @param exactLength whether a stream never shows more events than its maximum; otherwise some more
 *     may be there for a while
 * @param durableAcknowledgement whether a write that returned survives a crash of the store; on
 *     Redis that depends on how the server is set up, so it is false
 */
public record Capabilities(
    String name, boolean transactions, boolean exactLength, boolean durableAcknowledgement) {}
