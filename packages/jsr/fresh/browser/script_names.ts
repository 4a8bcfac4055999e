/** The script that wakes the islands of a page. */
export const bootScript = "fresh-runtime";

/** The script that reloads pages while the app is being written. */
export const reloadScript = "fresh-reload";
