/**
 * The tour of the store, {@code demo store}: steps come in, and one line for each goes out, which
 * says with numbers what the step has proved. Every step does its work on a store of its own and
 * removes it. The command {@code demo} is the only caller. {@code TransferProcess} is the main
 * class of a process that the tour starts and kills.
 */
@NullMarked
package dev.tidemark.node.internal.tour;

import org.jspecify.annotations.NullMarked;
