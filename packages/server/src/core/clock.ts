/** Milliseconds since 1970. A seam, so that a test can let days pass. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
