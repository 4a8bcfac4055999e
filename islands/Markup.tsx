import { useEffect } from "react";
import { installLocalTimes } from "../browser/local_times.ts";
import { installMarkup } from "../browser/markup.ts";
import { installPageHeaders } from "../browser/page_headers.ts";

/**
 * Brings a page's markup to life: `data-toggle-text` and `data-remove-class`, times in the reader's
 * zone, and the headers of the page's requests. Draws nothing.
 */
export default function Markup() {
  useEffect(() => {
    installPageHeaders();
    installLocalTimes(document);
    return installMarkup(document);
  }, []);
  return null;
}
