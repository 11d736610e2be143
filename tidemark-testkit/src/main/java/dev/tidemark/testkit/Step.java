package dev.tidemark.testkit;

/** One call in a random program. */
sealed interface Step permits ReadStep, WriteStep {}
