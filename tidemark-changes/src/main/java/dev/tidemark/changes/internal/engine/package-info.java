/**
 * The reader itself: sessions that read one partition each, the engine that discovers, claims and
 * finishes partitions and keeps watermarks, and the threads that drive both. Records of a source
 * come in; deliveries go to an outlet; rows go to the metadata store. Sessions and the engine have
 * no threads of their own, so that a simulation can take their steps in any order. {@code
 * ChangeReader} is the only caller.
 */
@NullMarked
package dev.tidemark.changes.internal.engine;

import org.jspecify.annotations.NullMarked;
