/**
 * The command {@code ctl}: an operator's words come in, calls of a cluster's managers go out, and
 * tables for people or JSON for scripts are printed. {@code Main} is the only caller. Exit codes
 * say what kind of failure it was.
 */
@NullMarked
package dev.tidemark.node.internal.ctl;

import org.jspecify.annotations.NullMarked;
