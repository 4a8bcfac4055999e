import "@/components/page/every_page.ts";
import { useEffect } from "preact/hooks";
import { installLocalTimes, installMarkup } from "@/components/page/markup.ts";
import { installPageHeaders } from "@/components/connection/page_headers.ts";

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
