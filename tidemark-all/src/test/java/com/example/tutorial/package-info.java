/** The service that docs/tutorial.md grows, step by step. */
@NullMarked
package com.example.tutorial;

import org.jspecify.annotations.NullMarked;
