/**
 * A page in the browser that follows a running program. States come in as JSON text; they go out to
 * every open page as server-sent events, the latest only, and what a visitor orders comes back by
 * name. {@code LivePage} serves both, and the files of the page, on the loopback interface. It
 * knows nothing of what it shows: the demo builds the states and carries out the orders.
 */
@NullMarked
package dev.tidemark.node.internal.page;

import org.jspecify.annotations.NullMarked;
