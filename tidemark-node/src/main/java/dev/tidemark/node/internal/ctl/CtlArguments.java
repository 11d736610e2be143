package dev.tidemark.node.internal.ctl;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.TokenFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What stands behind {@code ctl}.
 *
 * @param words all but the options, in their order
 * @param values options with a value
 * @param flags options without
 */
record CtlArguments(List<String> words, Map<String, String> values, Set<String> flags) {
  private static final String MANAGER = "--manager";
  private static final String TOKEN_FILE = "--token-file";
  private static final String AUTHORITIES = "--tls-ca";
  private static final String JSON = "--json";
  private static final String FORCE = "--force";
  private static final String RUNNING = "--running";
  private static final Set<String> WITH_VALUE = Set.of(MANAGER, TOKEN_FILE, AUTHORITIES);
  private static final Set<String> WITHOUT = Set.of(JSON, FORCE, RUNNING);

  /** Where a cluster that was started without further words is. */
  static final String DEFAULT_MANAGERS = "tidemark://127.0.0.1:7500,tidemark://127.0.0.1:7501";

  static CtlArguments parse(String[] args) {
    List<String> words = new ArrayList<>();
    Map<String, String> values = new HashMap<>();
    Set<String> flags = new HashSet<>();
    for (int i = 0; i < args.length; i++) {
      if (WITH_VALUE.contains(args[i])) {
        String option = args[i++];
        if (i == args.length || values.put(option, args[i]) != null) {
          throw new IllegalArgumentException(option + " takes one value, once");
        }
      } else if (WITHOUT.contains(args[i])) {
        flags.add(args[i]);
      } else if (args[i].startsWith("--")) {
        throw new IllegalArgumentException("There is no option " + args[i]);
      } else {
        words.add(args[i]);
      }
    }
    return new CtlArguments(List.copyOf(words), Map.copyOf(values), Set.copyOf(flags));
  }

  /** The managers: as given, else as the environment says, else those of the example. */
  List<String> managers(Map<String, String> environment) {
    String text =
        values.getOrDefault(
            MANAGER, environment.getOrDefault("TIDEMARK_MANAGERS", DEFAULT_MANAGERS));
    return List.of(text.split(",", -1));
  }

  ChannelOptions channels() {
    ChannelOptions options = ChannelOptions.defaults();
    Optional<Path> authorities = file(AUTHORITIES);
    if (authorities.isPresent()) {
      options = options.withAuthorities(authorities.get());
    }
    Optional<Path> token = file(TOKEN_FILE);
    if (token.isPresent()) {
      try {
        options = options.withToken(new TokenFile(token.get()).single());
      } catch (IOException unreadable) {
        throw new UncheckedIOException("Cannot read the token in " + token.get(), unreadable);
      }
    }
    return options;
  }

  private Optional<Path> file(String option) {
    return Optional.ofNullable(values.get(option)).map(Path::of);
  }

  boolean json() {
    return flags.contains(JSON);
  }

  boolean force() {
    return flags.contains(FORCE);
  }

  boolean runningOnly() {
    return flags.contains(RUNNING);
  }

  /** The word at {@code index}, if there is one. */
  Optional<String> word(int index) {
    return index < words.size() ? Optional.of(words.get(index)) : Optional.empty();
  }

  /** The word at {@code index}, which must be there. */
  String require(int index, String name) {
    return word(index).orElseThrow(() -> new IllegalArgumentException(name + " is missing"));
  }

  void expectAtMost(int count) {
    if (words.size() > count) {
      throw new IllegalArgumentException("'%s' is too much".formatted(words.get(count)));
    }
  }
}
