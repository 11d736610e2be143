/**
 * What tests of a store and of programs on a store need: a conformance suite, random programs
 * checked against a model, fault injection, a clock moved by hand and a JUnit extension that finds
 * leaks.
 */
@NullMarked
package dev.tidemark.testkit;

import org.jspecify.annotations.NullMarked;
