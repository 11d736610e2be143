/**
 * The commands {@code ctl} and {@code cluster}: an operator's words come in; requests to the
 * managers and servers of partitions go out, and their answers as tables or JSON. {@code cluster
 * start} runs the example of partitions. Only the table of commands calls it.
 */
@NullMarked
package dev.tidemark.node.internal.command.partitions;

import org.jspecify.annotations.NullMarked;
