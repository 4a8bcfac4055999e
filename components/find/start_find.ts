/** The keys and clicks that open the search or the list of keys; with Control or ⌘, a key is named `^` and the key. */
const starts = /^(\^k|[/?]|)$/;

/**
 * Opens the search with a click on its field in the header or with Ctrl K, and the list of keys with `?`; `/` goes to
 * the search of the page. What it takes is loaded with the first use. Does nothing where the reader may not search.
 */
export function installFind(page: Document): void {
  const field = page.querySelector(".find");
  if (!field) return;
  const start = (event: Event) => {
    const { key = "", ctrlKey, metaKey, target } = event as KeyboardEvent;
    const isTyping = (target as Element).matches("input,textarea,select");
    if (!starts.test((ctrlKey || metaKey ? "^" : "") + key) || isTyping && key < "@") return;
    event.preventDefault();
    const search = page.querySelector<HTMLElement>("#app input[type=search]");
    if (key === "/" && search) search.focus();
    else {import("./find_dialog.tsx").then(({ openFind }) =>
        openFind(key, search !== null), console.error);}
  };
  field.addEventListener("click", start);
  page.addEventListener("keydown", start);
}
