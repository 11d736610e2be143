package com.apple.foundationdb.annotation;

/**
 * What the Record Layer's classes are annotated with. Its own artifact is not on the registry, and
 * javac warns of annotations that it cannot find.
 */
public @interface API {
  /** How stable a class is. */
  Status value();

  /** See {@link #value}. */
  enum Status {
    STABLE,
    MAINTAINED,
    UNSTABLE,
    EXPERIMENTAL,
    INTERNAL,
    DEPRECATED
  }
}
