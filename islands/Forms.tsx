import "@/components/page/every_page.ts";
import { useEffect } from "preact/hooks";
import { installConfirm, installSentForms } from "@/components/page/confirm.ts";

/**
 * Installs the behaviour of a page's forms: confirmations, forms that are sent without leaving the page,
 * and buttons that show a password. Renders nothing.
 */
export default function Forms() {
  useEffect(() => {
    // Confirmations come first: a form that has to be confirmed is not sent yet.
    const uninstalls = [installConfirm, installSentForms].map((install) => install(document));
    // Few pages have a password.
    if (document.querySelector("[data-show-password]")) {
      import("@/components/page/show_password.ts")
        .then(({ installShowPassword }) => installShowPassword(document)).catch(console.error);
    }
    return () => uninstalls.forEach((uninstall) => uninstall());
  }, []);
  return null;
}
