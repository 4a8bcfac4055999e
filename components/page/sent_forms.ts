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
export interface SentForm {
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
    return { accepted: false, message: "Couldn't reach the server. Try again." };
  }
}
