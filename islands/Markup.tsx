import "../components/frame/every_page.ts";
import { useEffect } from "preact/hooks";
import { installConfirm } from "../browser/page/confirm.ts";
import { installLocalTimes } from "../browser/page/local_times.ts";
import { installMarkup } from "../browser/page/markup.ts";
import { installPageHeaders } from "../browser/connection/page_headers.ts";
import { installSentForms } from "../browser/page/sent_forms.ts";
import { installShowPassword } from "../browser/page/show_password.ts";

/**
 * Installs the behaviour of a page's markup: `data-toggle-text` and `data-remove-class`, confirmations,
 * forms that are sent without leaving the page, buttons that show a password, times in the reader's zone, and the headers of the
 * page's requests. Renders nothing.
 */
export default function Markup() {
  useEffect(() => {
    installPageHeaders();
    installLocalTimes(document);
    // Confirmations come first: a form that has to be confirmed is not sent yet.
    const uninstalls = [installMarkup, installConfirm, installSentForms, installShowPassword].map((
      run,
    ) => run(document));
    return () => uninstalls.forEach((uninstall) => uninstall());
  }, []);
  return null;
}
