/** How often hidden pages follow, in milliseconds: browsers draw no frames for them. */
const hiddenFrameMs = 250;

/** Calls back before the next picture is drawn, or soon where none is drawn. */
export function nextFrame(callback: () => void): void {
  if (document.hidden) setTimeout(callback, hiddenFrameMs);
  else requestAnimationFrame(callback);
}
