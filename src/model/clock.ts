/** Monotonic milliseconds, with fractions; tests inject their own. */
export type Clock = () => number;

export const monotonicClock: Clock = () => performance.now();

/** Milliseconds since 1970. */
export const wallClock: Clock = () => Date.now();
