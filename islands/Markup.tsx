import { useEffect } from "react";
import { installMarkup } from "../browser/markup.ts";
import { installPageHeaders } from "../browser/page_headers.ts";

/**
 * Brings a page's markup to life: `data-toggle-text` and `data-remove-class`, and the headers of the
 * page's requests. Draws nothing.
 */
export default function Markup() {
  useEffect(() => {
    installPageHeaders();
    return installMarkup(document);
  }, []);
  return null;
}
