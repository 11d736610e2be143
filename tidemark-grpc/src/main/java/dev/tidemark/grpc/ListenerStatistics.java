package dev.tidemark.grpc;

/**
 * What a listener has now, and what it has refused since it was opened.
 *
 * @param connections connections that are open
 * @param connectionsRefused connections beyond {@link ListenerOptions#connections}
 * @param connectionsClosed connections closed because all together held more than {@link
 *     ListenerOptions#networkBytes}, and these held the most for the longest time
 * @param calls calls that are open, without those for health
 * @param callsRefused calls without a token that the listener knows, or with too small a role
 * @param networkBytes bytes that the network holds: what {@link ListenerOptions#networkBytes} is
 *     for
 */
public record ListenerStatistics(
    long connections,
    long connectionsRefused,
    long connectionsClosed,
    long calls,
    long callsRefused,
    long networkBytes) {}
