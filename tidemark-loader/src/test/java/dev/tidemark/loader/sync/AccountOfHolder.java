package dev.tidemark.loader.sync;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/** An account of a version of the program that calls its owner otherwise. */
@Recordable(name = "Account")
record AccountOfHolder(@PrimaryKey long number, String holder, long balance) {}
