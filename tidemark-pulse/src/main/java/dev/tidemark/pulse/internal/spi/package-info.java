/**
 * What a backend offers: the events of a stream with the groups that consume them, the entries of a
 * map, and rows for pools. A new store for streams, maps and pools implements {@code Backend} and
 * is done. The values that cross the border (events to add, writes to a map, terms of a sink,
 * filters, valid names) are here as well. Streams, maps, pools and every connector use this
 * package; it uses none of theirs.
 */
@NullMarked
package dev.tidemark.pulse.internal.spi;

import org.jspecify.annotations.NullMarked;
