package dev.tidemark.architecture;

import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A Markdown file of the repository, or another text.
 *
 * @param file its path from the root
 * @param text what it says
 */
record Document(String file, String text) {
  private static final Pattern CODE = Pattern.compile("(?s)```([a-z]*)\n(.*?)```");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern COMMAND = Pattern.compile("\\./tidemark +([a-z]+)");
  private static final Pattern WITHOUT_PATH = Pattern.compile("(?m)(?:^ {4}|`)tidemark ([a-z]+) ");

  static Document read(String file) {
    return new Document(file, Repository.read(file));
  }

  /** The blocks of code in {@code language}. */
  List<String> code(String language) {
    return CODE.matcher(text)
        .results()
        .filter(block -> block.group(1).equals(language))
        .map(block -> block.group(2))
        .toList();
  }

  /** The text without its blocks of code. */
  String prose() {
    return CODE.matcher(text).replaceAll("");
  }

  /** Where links lead, as written. Code has none. */
  List<String> links() {
    return LINK.matcher(prose()).results().map(Document::first).toList();
  }

  /** The names by which a link can lead to a heading, as code hosts make them. */
  List<String> anchors() {
    return HEADING
        .matcher(prose())
        .results()
        .map(Document::first)
        .map(title -> title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", ""))
        .map(title -> title.replace(' ', '-'))
        .toList();
  }

  /** The commands of the launcher that the text names. */
  List<String> commands() {
    return COMMAND.matcher(text).results().map(Document::first).distinct().toList();
  }

  /** Those with arguments that are named as if the launcher was on the path. */
  List<String> commandsWithoutPath() {
    return WITHOUT_PATH.matcher(text).results().map(Document::first).toList();
  }

  /** The version that XML in the text gives {@code artifact}; empty if it gives none. */
  String versionOf(String artifact) {
    return Pattern.compile(
            "<artifactId>" + artifact + "</artifactId>\\s*<version>([^<]+)</version>")
        .matcher(text)
        .results()
        .map(Document::first)
        .findFirst()
        .orElse("");
  }

  private static String first(MatchResult found) {
    return found.group(1);
  }
}
