import type { DocsSection } from "@/shared/docs.ts";
import { type DocsHit, hitTitle, searchDocs } from "@/shared/docs_search.ts";

/** How many are shown below the field; a page has more. */
const most = 8;

/** Shows what a search finds below its field, in the place of the navigation, while the reader types. */
export function installDocsSearch(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>("form[data-docs-index]");
  const input = form?.querySelector("input");
  if (!form || !input) return;
  const { docsIndex = "", docsAddress = "" } = form.dataset;
  const status = document.createElement("p");
  status.role = "status";
  status.className = "soft";
  const list = document.createElement("ol");
  list.className = "list rows";
  form.after(status, list);
  const navigation = [...form.parentElement!.children].slice(3);

  let index: Promise<DocsSection[]> | undefined;
  const update = async () => {
    const query = input.value;
    const sections = query.trim() === "" ? null : await (index ??= fetchIndex(docsIndex));
    if (input.value !== query) return;
    const hits = sections && searchDocs(sections, query);
    status.textContent = hits === null ? "" : textOf(hits.length);
    list.replaceChildren(...(hits ?? []).slice(0, most).map((hit) => itemOf(hit, docsAddress)));
    if (hits === null) list.after(...navigation);
    else navigation.forEach((element) => element.remove());
  };
  // Where no server searches, all is found while the reader types.
  if (!form.hasAttribute("action")) {
    form.addEventListener("submit", (event) => event.preventDefault());
  }
  // The form still works, and the next key tries again.
  const failed = () => index = undefined;
  input.addEventListener("input", () => void update().catch(failed));
  input.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    input.value = "";
    void update().catch(failed);
  });
}

async function fetchIndex(address: string): Promise<DocsSection[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The index of the documentation: status ${response.status}`);
  return await response.json();
}

function textOf(count: number): string {
  if (count === 0) return "Nothing found";
  if (count > most) return `The best ${most} results`;
  return count === 1 ? "1 result" : `${count} results`;
}

function itemOf(hit: DocsHit, address: string): HTMLElement {
  const { page, anchor, excerpt } = hit;
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = address.replace("NAME", page) + (anchor && `#${anchor}`);
  link.textContent = hitTitle(hit);
  const text = document.createElement("p");
  text.className = "soft";
  text.append(...excerpt.map(({ text, isMatch }) => {
    if (!isMatch) return text;
    const mark = document.createElement("mark");
    mark.textContent = text;
    return mark;
  }));
  item.append(link, text);
  return item;
}
