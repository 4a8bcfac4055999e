import "./every_page_scripts.ts";
import { text } from "@/shared/language.ts";
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
    const input = button && inputOf(page, button);
    if (input) show(button, input, input.type === "password");
  };
  const onSubmit = (event: Event) => {
    if (!(event.target instanceof Element)) return;
    for (const button of event.target.querySelectorAll("[data-show-password]")) {
      const input = inputOf(page, button);
      if (input) show(button, input, false);
    }
  };
  page.addEventListener("click", onClick);
  page.addEventListener("submit", onSubmit, true);
  return () => {
    page.removeEventListener("click", onClick);
    page.removeEventListener("submit", onSubmit, true);
  };
}

function inputOf(page: Document, button: Element): HTMLInputElement | null {
  const input = page.getElementById(button.getAttribute("aria-controls") ?? "");
  return input instanceof HTMLInputElement ? input : null;
}

/** The button's first text is the verb; the rest of its name stays. */
function show(button: Element, input: HTMLInputElement, isShown: boolean): void {
  input.type = isShown ? "text" : "password";
  if (button.firstChild) button.firstChild.textContent = isShown ? text`Hide` : text`Show`;
}
