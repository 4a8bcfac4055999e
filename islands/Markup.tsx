import "../components/frame/every_page.ts";
import { useEffect } from "preact/hooks";
import { installLocalTimes } from "../browser/page/local_times.ts";
import { installMarkup } from "../browser/page/markup.ts";
import { installPageHeaders } from "../browser/connection/page_headers.ts";

/**
 * Installs the behaviour of a page's markup: `data-toggle-text` and `data-remove-class`, times in the
 * reader's zone, and the headers of the page's requests. Renders nothing.
 */
export default function Markup() {
  useEffect(() => {
    installPageHeaders();
    installLocalTimes(document);
    return installMarkup(document);
  }, []);
  return null;
}
