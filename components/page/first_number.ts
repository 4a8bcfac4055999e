/** How long other work waits for the number at most, in milliseconds. */
const longest = 1_000;

/**
 * Lets the live number of a page be first: what needs much CPU time, and the number does not need, waits
 * for it. On a slow device it would keep the number back.
 */
export class FirstNumber {
  #arrival: PromiseWithResolvers<void> | undefined;

  /** The page starts to connect for its number. */
  expect(): void {
    this.#arrival ??= Promise.withResolvers<void>();
    setTimeout(this.#arrival.resolve, longest);
  }

  /** The number is live, or will not be soon. What waits begins after the frame that shows it. */
  arrived(): void {
    if (this.#arrival) setTimeout(this.#arrival.resolve);
  }

  /** Resolves when the number is shown, or after a second; at once on a page that expects none. */
  shown(): Promise<void> {
    return this.#arrival?.promise ?? Promise.resolve();
  }
}

/** The first number of this page. */
export const firstNumber = new FirstNumber();

/** How often hidden pages follow, in milliseconds: browsers draw no frames for them. */
const hiddenFrameMs = 250;

/** Calls back before the next frame, or after a quarter of a second while the page is hidden. */
export function nextFrame(callback: () => void): void {
  if (document.hidden) setTimeout(callback, hiddenFrameMs);
  else requestAnimationFrame(callback);
}
