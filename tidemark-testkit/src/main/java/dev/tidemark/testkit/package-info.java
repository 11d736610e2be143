/**
 * What tests of a store, and of programs on a store, need. This package holds what every test may
 * use: a clock that is moved by hand, a condition awaited with a deadline, and documents whose code
 * tests execute. Each package below has one subject: {@code conformance}, the suites that every
 * engine passes; {@code check}, random programs whose answers are checked; {@code model}, the
 * simplest store that keeps the promises; {@code decorate} and {@code faults}, databases around a
 * database; {@code cluster}, one that acts like a FoundationDB cluster; {@code server} and {@code
 * spanner}, servers that tests talk to; {@code junit}, extensions and seeds. Tests of every module
 * call them.
 */
@NullMarked
package dev.tidemark.testkit;

import org.jspecify.annotations.NullMarked;
