package dev.tidemark.node.internal.console;

import picocli.CommandLine.Option;

/** The option {@code --json} of every command. */
public final class Format {
  /** What the option does, for help. */
  public static final String DESCRIPTION = "Print JSON, one object a line, for scripts.";

  @Option(names = "--json", description = DESCRIPTION)
  private boolean json;

  /** The option as another one has parsed it. */
  public static Format of(boolean json) {
    Format format = new Format();
    format.json = json;
    return format;
  }

  /** Whether to print JSON. */
  public boolean json() {
    return json;
  }

  /** The rows of {@code listing} as they were asked for. */
  public String of(Listing listing) {
    return json ? listing.jsonLines() : listing.table();
  }
}
