import { text } from "@/shared/language.ts";
/**
 * Asks before a form with `data-confirm="Disconnect Ben?"` is sent, in a dialog with the text of
 * `data-confirm-text` and a button labelled `data-confirm-action`, which is red with
 * `data-confirm-danger`. A confirmed form is sent with the field `confirmed`; without it the server asks
 * on a page of its own, so forms work the same without script.
 *
 * @returns uninstall
 */
export function installConfirm(page: Document): () => void {
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.confirm === undefined) return;
    if (form.elements.namedItem("confirmed")) return;
    event.preventDefault();
    ask(page, form, event.submitter);
  };
  page.addEventListener("submit", onSubmit);
  return () => page.removeEventListener("submit", onSubmit);
}

/** Escape and Cancel send nothing. The focus returns to where it was in each case. */
function ask(page: Document, form: HTMLFormElement, submitter: HTMLElement | null): void {
  const { confirm = "", confirmText = "", confirmAction = text`OK` } = form.dataset;
  const element = (
    name: string,
    attributes: Record<string, string>,
    ...content: (Node | string)[]
  ) => {
    const element = page.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) {
      element.setAttribute(attribute, value);
    }
    element.append(...content);
    return element;
  };
  const look = form.dataset.confirmDanger === undefined ? "button" : "button button-danger-solid";
  const dialog = element(
    "dialog",
    {
      class: "confirm",
      role: "alertdialog",
      "aria-labelledby": "confirm-title",
      "aria-describedby": "confirm-text",
    },
    element("h2", { id: "confirm-title" }, confirm),
    element("p", { id: "confirm-text" }, confirmText),
    element(
      "form",
      { class: "confirm-buttons", method: "dialog" },
      element("button", { class: "button button-quiet", value: "no", autofocus: "" }, text`Cancel`),
      element("button", { class: look, value: "yes" }, confirmAction),
    ),
  ) as HTMLDialogElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue === "yes") sendConfirmed(page, form, submitter);
  });
  page.body.append(dialog);
  dialog.showModal();
}

function sendConfirmed(page: Document, form: HTMLFormElement, submitter: HTMLElement | null): void {
  const field = page.createElement("input");
  Object.assign(field, { type: "hidden", name: "confirmed", value: "yes" });
  form.append(field);
  form.requestSubmit(submitter);
  // The form's data is collected by now. A reader who comes back to this page is asked again.
  field.remove();
}

/**
 * Sends forms with `data-fetch` without leaving the page, so that the request carries the page's
 * headers. The server's message appears in the form's `[data-outcome]`; a form that was accepted is
 * reset.
 *
 * @returns uninstall
 */
export function installSentForms(page: Document): () => void {
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    if (form.dataset.fetch === undefined) return;
    event.preventDefault();
    void sendForm(form, new FormData(form));
  };
  page.addEventListener("submit", onSubmit);
  return () => page.removeEventListener("submit", onSubmit);
}

/** The part of a form that {@link sendForm} uses. */
interface SentForm {
  ariaBusy: string | null;
  getAttribute(name: "action"): string | null;
  querySelector(selector: string): { className: string; textContent: string | null } | null;
  reset(): void;
}

/** Sends a form, unless it is being sent, and shows the server's message in it. Never rejects. */
export async function sendForm(
  form: SentForm,
  data: Iterable<[name: string, value: FormDataEntryValue]>,
): Promise<void> {
  if (form.ariaBusy === "true") return;
  const body = new URLSearchParams();
  for (const [name, value] of data) body.append(name, String(value));
  form.ariaBusy = "true";
  const { accepted, message } = await answerTo(form, body);
  form.ariaBusy = null;
  if (accepted) form.reset();
  const outcome = form.querySelector("[data-outcome]");
  if (!outcome) return;
  outcome.className = `notice notice-${accepted ? "success" : "error"}`;
  outcome.textContent = message;
}

async function answerTo(form: SentForm, body: URLSearchParams) {
  try {
    const headers = { accept: "application/json" };
    const response = await fetch(form.getAttribute("action") ?? "", {
      method: "POST",
      body,
      headers,
    });
    const { message } = await response.json();
    return { accepted: response.ok, message: String(message) };
  } catch {
    return { accepted: false, message: text`Couldn't reach the server. Try again.` };
  }
}
