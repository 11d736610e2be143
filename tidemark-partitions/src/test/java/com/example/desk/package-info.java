/** The example of docs/partitions.md: an actor whose requests change other layers too. */
@NullMarked
package com.example.desk;

import org.jspecify.annotations.NullMarked;
