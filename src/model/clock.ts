/** Monotonic milliseconds, with fractions; tests inject their own. */
export type Clock = () => number;

export const monotonicClock: Clock = () => performance.now();
