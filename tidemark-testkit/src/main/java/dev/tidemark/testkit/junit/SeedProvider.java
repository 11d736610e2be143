package dev.tidemark.testkit.junit;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Provides the seeds that {@link SeedSource} describes. */
final class SeedProvider implements ArgumentsProvider, AnnotationConsumer<SeedSource> {
  private int count = 1;

  @Override
  public void accept(SeedSource source) {
    count = source.count();
  }

  @Override
  public Stream<Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    String wanted = System.getProperty(SeedSource.PROPERTY, "");
    return seeds(wanted, count).mapToObj(Arguments::of);
  }

  static LongStream seeds(String wanted, int count) {
    LongStream fixed = LongStream.rangeClosed(1, count);
    return switch (wanted) {
      case "" -> fixed;
      case "random" ->
          LongStream.concat(fixed, LongStream.of(ThreadLocalRandom.current().nextLong()));
      default -> LongStream.of(Long.parseLong(wanted));
    };
  }
}
