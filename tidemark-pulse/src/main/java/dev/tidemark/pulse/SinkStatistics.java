package dev.tidemark.pulse;

/**
 * Numbers of one instance of a {@link Sink} at one moment. They are counted in memory, from the
 * moment it was opened, and say nothing of other instances; no store is asked.
 *
 * <p>What a transaction of the program acknowledges ({@link Sink#ack( dev.tidemark.kv.Transaction,
 * Event)}) is not counted, because only its commit decides. Dead letters are not counted either:
 * ask the stream that has them for its length.
 *
 * @param delivered events that the program has got, from {@link Sink#read} or in a handler
 * @param redelivered those of them that had been delivered before ({@link Event#deliveries})
 * @param acknowledged events that the store was told are done, by a call or after a handler
 *     returned; one that is acknowledged twice counts twice. None with {@link SinkOptions#noAck}
 * @param acknowledgementsFailed events whose acknowledgement failed, so that they may come again
 * @param handlerFailures events whose handler threw, or whose transaction did not commit
 * @param fetchFailures calls of the store for events that failed
 * @param released events that the program gave back
 * @param extended events whose grace the program began anew
 * @param returned events that came here, went to nobody, and were given back
 * @param losses times that {@link SinkOptions#lossListener} was told of dropped events
 * @param waiting events that are here and that the program has not got yet
 * @param running events that handlers are at
 */
public record SinkStatistics(
    long delivered,
    long redelivered,
    long acknowledged,
    long acknowledgementsFailed,
    long handlerFailures,
    long fetchFailures,
    long released,
    long extended,
    long returned,
    long losses,
    int waiting,
    int running) {}
