package dev.tidemark.pulse;

/**
 * Events that a sink never got, because the stream kept no more than its maximum length: the sink
 * was overtaken. They may have had topics that the sink does not want.
 *
 * @param stream the stream
 * @param after the last event before them that went to an instance of the sink, or where it began
 * @param before the first event behind them, which is delivered
 */
public record LostEvents(String stream, EventId after, EventId before) {}
