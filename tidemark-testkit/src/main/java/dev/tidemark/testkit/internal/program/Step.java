package dev.tidemark.testkit.internal.program;

/** One call in a random program. */
public sealed interface Step permits ReadStep, WriteStep {}
