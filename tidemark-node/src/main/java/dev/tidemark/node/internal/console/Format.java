package dev.tidemark.node.internal.console;

import picocli.CommandLine.Option;

/** The option {@code --json} of every command that prints data. */
public final class Format {
  @Option(names = "--json", description = "Print JSON, one object a line, instead of a table.")
  private boolean json;

  /** Whether to print JSON. */
  public boolean json() {
    return json;
  }

  /** The rows of {@code listing} as they were asked for. */
  public String of(Listing listing) {
    return json ? listing.jsonLines() : listing.table();
  }
}
