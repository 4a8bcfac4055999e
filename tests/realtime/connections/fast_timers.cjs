// For packages of npm, which have timers of their own.
const original = globalThis.setTimeout;
globalThis.setTimeout = (callback, milliseconds, ...rest) =>
  original(callback, milliseconds / 6, ...rest);
