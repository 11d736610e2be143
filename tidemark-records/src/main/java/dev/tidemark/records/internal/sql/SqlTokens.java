package dev.tidemark.records.internal.sql;

import dev.tidemark.records.SqlException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tokens of a query as text. */
final class SqlTokens {
  /** White space and comments. */
  private static final Pattern SPACE = Pattern.compile("(?:\\s|--[^\\n]*+|/\\*(?s:.*?)\\*/)*+");

  private static final Pattern TOKEN =
      Pattern.compile(
          SPACE.pattern()
              + "(?:('(?:[^']++|'')*+')|(\"[^\"]+\")|([-+]?\\d+(?:\\.\\d*)?(?:[eE][-+]?\\d+)?[\\w.]*)|([\\p{L}_$][\\p{L}\\p{M}\\p{N}_$]*)|(<=|>=|<>|!=|[(),.*=<>;])|(\\?))");
  private static final Set<String> KEYWORDS =
      Set.of(
          "SELECT",
          "DISTINCT",
          "FROM",
          "JOIN",
          "LEFT",
          "INNER",
          "ON",
          "WHERE",
          "GROUP",
          "BY",
          "HAVING",
          "ORDER",
          "LIMIT",
          "OFFSET",
          "AND",
          "OR",
          "NOT",
          "IN",
          "IS",
          "NULL",
          "LIKE",
          "BETWEEN",
          "CONTAINS",
          "AS",
          "ASC",
          "DESC",
          "NULLS",
          "FIRST",
          "LAST",
          "TRUE",
          "FALSE");

  private final String text;
  private final List<Token> tokens = new ArrayList<>();

  /** The values of the parameters, by the positions of these in the text. */
  private final Map<Integer, @Nullable Object> values = new HashMap<>();

  private int at;

  /** The kind of a token. */
  enum Kind {
    KEYWORD,
    NAME,
    NUMBER,
    TEXT,
    PARAMETER,
    SYMBOL,
    END
  }

  /**
   * A token.
   *
   * @param kind what it is
   * @param text the token as written; a text or a name without its quotes
   * @param position where it begins
   */
  record Token(Kind kind, String text, int position) {
    /** Whether it is this keyword or symbol. */
    boolean is(String word) {
      return (kind == Kind.KEYWORD || kind == Kind.SYMBOL) && text.equalsIgnoreCase(word);
    }
  }

  SqlTokens(String text, List<? extends @Nullable Object> values) {
    this.text = text;
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (matcher.lookingAt()) {
      tokens.add(token(matcher));
      end = matcher.end();
      matcher.region(end, text.length());
    }
    Matcher space = SPACE.matcher(text).region(end, text.length());
    int position = space.lookingAt() ? space.end() : end;
    if (position < text.length()) {
      String rest = text.substring(position);
      throw new SqlException(
          text,
          position,
          rest.startsWith("'")
              ? "A text has no end"
              : rest.startsWith("/*") ? "A comment has no end" : "Nothing can begin with this");
    }
    bind(values);
    tokens.add(new Token(Kind.END, "the end", text.length()));
  }

  /** Gives each parameter its value; values come in the order of the text. */
  private void bind(List<? extends @Nullable Object> given) {
    List<Token> parameters =
        tokens.stream().filter(token -> token.kind() == Kind.PARAMETER).toList();
    if (parameters.size() != given.size()) {
      int position =
          parameters.size() > given.size()
              ? parameters.get(given.size()).position()
              : text.length();
      throw new SqlException(
          text,
          position,
          "The query has %s, and %,d values are given for them"
              .formatted(count(parameters.size()), given.size()));
    }
    for (int i = 0; i < given.size(); i++) {
      values.put(parameters.get(i).position(), given.get(i));
    }
  }

  private static String count(int parameters) {
    return parameters == 1 ? "one parameter" : "%,d parameters".formatted(parameters);
  }

  /** The value of {@code parameter}. */
  Object value(Token parameter) {
    Object value = values.get(parameter.position());
    if (value == null) {
      throw wrong(
          parameter,
          "The value of this parameter is null, and nothing compares with NULL; write IS NULL or"
              + " IS NOT NULL");
    }
    return value;
  }

  private static Token token(Matcher matcher) {
    for (int group = 1; group <= 6; group++) {
      String found = matcher.group(group);
      if (found != null) {
        int position = matcher.start(group);
        String capitals = found.toUpperCase(Locale.ROOT);
        return switch (group) {
          case 1 ->
              new Token(
                  Kind.TEXT, found.substring(1, found.length() - 1).replace("''", "'"), position);
          case 2 -> new Token(Kind.NAME, found.substring(1, found.length() - 1), position);
          case 3 -> new Token(Kind.NUMBER, found, position);
          case 4 ->
              KEYWORDS.contains(capitals)
                  ? new Token(Kind.KEYWORD, found, position)
                  : new Token(Kind.NAME, found, position);
          case 5 -> new Token(Kind.SYMBOL, found, position);
          default -> new Token(Kind.PARAMETER, found, position);
        };
      }
    }
    throw new AssertionError(matcher);
  }

  Token peek() {
    return tokens.get(at);
  }

  /** The word after the next one. */
  Token peekBehind() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  Token next() {
    Token token = tokens.get(at);
    if (at < tokens.size() - 1) {
      at++;
    }
    return token;
  }

  /** The place of the next word, for {@link #goTo}. */
  int place() {
    return at;
  }

  /** Goes to a place. */
  void goTo(int place) {
    at = place;
  }

  /** Goes on until {@code word} is next. */
  void skipTo(String word) {
    while (!peek().is(word)) {
      if (peek().kind() == Kind.END) {
        throw wrong(peek(), "%s is expected here".formatted(word));
      }
      next();
    }
  }

  /** Takes {@code word}, a keyword or a symbol, if it is next. */
  boolean take(String word) {
    boolean found = peek().is(word);
    if (found) {
      next();
    }
    return found;
  }

  /** Takes {@code word}, which is a name elsewhere, if it is next. */
  boolean takeName(String word) {
    boolean found = peek().kind() == Kind.NAME && peek().text().equalsIgnoreCase(word);
    if (found) {
      next();
    }
    return found;
  }

  /** Takes {@code word}, which must be next. */
  void expect(String word) {
    if (!take(word)) {
      throw wrong(peek(), "%s is expected here".formatted(word));
    }
  }

  String name(String what) {
    Token token = next();
    if (token.kind() != Kind.NAME) {
      String quotes = "; a name that is also a keyword stands in double quotes";
      throw wrong(
          token,
          "%s is expected here%s".formatted(what, token.kind() == Kind.KEYWORD ? quotes : ""));
    }
    return token.text();
  }

  /** A name in a place where no keyword can be, so that it may look like one. */
  String anyName(String what) {
    return peek().kind() == Kind.KEYWORD ? next().text() : name(what);
  }

  long number(String what) {
    Token token = next();
    try {
      boolean parameter = token.kind() == Kind.PARAMETER;
      String given = parameter ? String.valueOf(values.get(token.position())) : token.text();
      boolean number = token.kind() == Kind.NUMBER || parameter;
      long parsed = number ? Long.parseLong(given) : -1;
      if (parsed >= 0) {
        return parsed;
      }
    } catch (NumberFormatException noNumber) {
      // Told below.
    }
    throw wrong(token, "%s is a whole number, 0 or more".formatted(what));
  }

  SqlException wrong(Token token, String what) {
    return new SqlException(text, token.position(), what);
  }
}
