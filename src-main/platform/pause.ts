/** Holds this thread up for some milliseconds, for what can only be tried again. */
export const pause = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
