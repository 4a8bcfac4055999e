/** How often hidden pages follow, in milliseconds: browsers draw no frames for them. */
const hiddenFrameMs = 250;

/** Calls back before the next frame, or after a quarter of a second while the page is hidden. */
export function nextFrame(callback: () => void): void {
  if (document.hidden) setTimeout(callback, hiddenFrameMs);
  else requestAnimationFrame(callback);
}
