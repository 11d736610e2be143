/**
 * What the demo tells while it runs and at its end: numbers and sentences come in, a text for
 * people or events for a script go out. {@code DemoOutput} is the door; the run calls it, and the
 * command chooses what stands behind it. Nothing here knows a store.
 */
@NullMarked
package dev.tidemark.node.internal.meters.output;

import org.jspecify.annotations.NullMarked;
