/**
 * The demo: smart meters publish readings, and every layer has its part in what becomes of them.
 * {@link dev.tidemark.node.internal.meters.MeterDemo} is called by the command and owns everything
 * else. Publishers put events into a stream, workers check them and save records in the transaction
 * that acknowledges the events, a pool sends notices of alerts, actors keep the state of each
 * meter, and the change stream of the records keeps a warehouse in step. At the end the audit
 * compares what was published with what every layer holds.
 */
@NullMarked
package dev.tidemark.node.internal.meters;

import org.jspecify.annotations.NullMarked;
