import { useEffect } from "react";
import { installConfirm } from "../browser/page/confirm.ts";
import { installLocalTimes } from "../browser/page/local_times.ts";
import { installMarkup } from "../browser/page/markup.ts";
import { installPageHeaders } from "../browser/connection/page_headers.ts";
import { installSentForms } from "../browser/page/sent_forms.ts";

/**
 * Brings a page's markup to life: `data-toggle-text` and `data-remove-class`, forms that ask first or
 * are sent without leaving the page, times in the reader's zone, and the headers of the page's
 * requests. Draws nothing.
 */
export default function Markup() {
  useEffect(() => {
    installPageHeaders();
    installLocalTimes(document);
    // Asking comes first: what has to be confirmed is not sent yet.
    const removals = [installMarkup, installConfirm, installSentForms].map((run) => run(document));
    return () => removals.forEach((remove) => remove());
  }, []);
  return null;
}
