/** Queries and inserts that run at the same time, and how many more may wait for each. */
export const READERS = 4;
export const WRITERS = 4;
export const WAITING = 256;

/** Threads that calls into chDB occupy: all workers, one KILL, and one to spare. */
export const ENGINE_THREADS = READERS + WRITERS + 2;
