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
    if (form.ariaBusy !== "true") void send(form);
  };
  page.addEventListener("submit", onSubmit);
  return () => page.removeEventListener("submit", onSubmit);
}

async function send(form: HTMLFormElement): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  form.ariaBusy = "true";
  const { accepted, message } = await answerTo(form, body);
  form.ariaBusy = null;
  if (accepted) form.reset();
  const outcome = form.querySelector("[data-outcome]");
  if (!outcome) return;
  outcome.className = `notice notice-${accepted ? "success" : "error"}`;
  outcome.textContent = message;
}

async function answerTo(form: HTMLFormElement, body: URLSearchParams) {
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
