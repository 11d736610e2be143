package dev.tidemark.testkit.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Seeds for a {@code @ParameterizedTest} that takes one {@code long}.
 *
 * <p>By default the seeds are the same in every build: 1, 2, 3 and so on. With the system property
 * {@code tidemark.seed} set to a number, that seed runs alone, which is how a failure is replayed;
 * set to {@code random}, one seed that nobody chose runs beside the fixed ones.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(SeedProvider.class)
public @interface SeedSource {
  /** The system property that names the seed to replay, or {@code random}. */
  String PROPERTY = "tidemark.seed";

  /** How many fixed seeds to run. */
  int count() default 5;
}
