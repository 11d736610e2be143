package dev.tidemark.pulse;

/** A member of a pool that runs workers. */
public interface PoolNode extends PoolClient {}
