import "@/components/page/every_page.ts";
import { useEffect } from "preact/hooks";
import { installFind } from "@/components/find/start_find.ts";
import { installLocalTimes, installMarkup } from "@/components/page/markup.ts";
import { installPageHeaders } from "@/components/connection/page_headers.ts";

/**
 * Installs the behaviour of a page's markup: `data-toggle-text` and `data-remove-class`, times in the
 * reader's zone, the keys and the field that open the search, and the headers of the page's requests. Renders nothing.
 */
export default function Markup() {
  useEffect(() => {
    installPageHeaders();
    installLocalTimes(document);
    installFind(document);
    return installMarkup(document);
  }, []);
  return null;
}
