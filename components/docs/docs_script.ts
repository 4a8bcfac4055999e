/**
 * What makes pages of the documents comfortable where script runs: tabs, buttons that copy code, and a search
 * while the reader types. It is a file of its own, which needs no other of the app's, so that a site of files
 * has it too.
 *
 * @module
 */
import { copiedText } from "../page/copied_text.ts";
import { installDocsSearch } from "./docs_search_field.ts";
import { installTabs } from "./docs_tabs.ts";

/** How long the result of copying is shown, in milliseconds. */
const resultMs = 4_000;

/** Adds a button to the head of a block of code. */
function addCopyButton(block: HTMLElement): void {
  const head = block.querySelector("figcaption");
  const code = block.querySelector("code");
  if (!head || !code) return;
  const result = document.createElement("span");
  result.className = "copy-result";
  result.role = "status";
  const button = document.createElement("button");
  button.className = "button button-quiet";
  button.type = "button";
  button.textContent = "Copy";
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener("click", async () => {
    clearTimeout(timer);
    result.textContent = await copiedText(code.textContent ?? "")
      ? "Copied"
      : "Select the text to copy it";
    timer = setTimeout(() => result.textContent = "", resultMs);
  });
  head.append(result, button);
}

installTabs(document);
document.querySelectorAll<HTMLElement>(".prose .code-block").forEach(addCopyButton);
installDocsSearch(document);
