/**
 * Makes each button with `data-show-password` show and hide the password of the input that its
 * `aria-controls` names. A form is sent with the password hidden, so that browsers do not offer it as a
 * text that was typed before.
 *
 * @returns uninstall
 */
export function installShowPassword(page: Document): () => void {
  const onClick = (event: Event) => {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest("[data-show-password]");
    if (button) show(page, button, button.getAttribute("aria-pressed") !== "true");
  };
  const onSubmit = (event: Event) => {
    if (!(event.target instanceof Element)) return;
    for (
      const button of event.target.querySelectorAll('[data-show-password][aria-pressed="true"]')
    ) {
      show(page, button, false);
    }
  };
  page.addEventListener("click", onClick);
  page.addEventListener("submit", onSubmit, true);
  return () => {
    page.removeEventListener("click", onClick);
    page.removeEventListener("submit", onSubmit, true);
  };
}

function show(page: Document, button: Element, isShown: boolean): void {
  const input = page.getElementById(button.getAttribute("aria-controls") ?? "");
  if (!(input instanceof HTMLInputElement)) return;
  input.type = isShown ? "text" : "password";
  button.setAttribute("aria-pressed", String(isShown));
  button.textContent = isShown ? "Hide" : "Show";
}
