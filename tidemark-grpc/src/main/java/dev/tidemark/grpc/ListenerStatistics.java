package dev.tidemark.grpc;

/**
 * What a listener has now, and what it has refused since it was opened.
 *
 * @param connections connections that are open
 * @param connectionsRefused connections beyond {@link ListenerOptions#connections}
 * @param calls calls that are open, without those for health
 * @param callsRefused calls without a token that the listener knows, or with too small a role
 */
public record ListenerStatistics(
    long connections, long connectionsRefused, long calls, long callsRefused) {}
