/** Where the reader's choice is kept: what is on a tab that was chosen last. */
const key = "rollcall.docs.tab";

/** A group of blocks of which one is shown. */
interface Group {
  tabs: HTMLButtonElement[];
  panels: HTMLElement[];
}

/**
 * Makes tabs of the groups of blocks that stand one below the other without script. A choice holds for all groups
 * that have it, on all pages, and is kept.
 */
export function installTabs(root: ParentNode): void {
  const groups = [...root.querySelectorAll<HTMLElement>(".tabs")].map(groupOf);
  for (const group of groups) {
    show(group, 0);
    for (const [index, tab] of group.tabs.entries()) {
      tab.addEventListener("click", () => choose(groups, tab));
      tab.addEventListener("keydown", (event) => moveFocus(group, index, event));
    }
  }
  const kept = keptChoice();
  if (kept !== null) showEverywhere(groups, kept);
}

function groupOf(element: HTMLElement, number: number): Group {
  const panels = [...element.querySelectorAll<HTMLElement>(":scope > div")];
  const list = document.createElement("div");
  list.role = "tablist";
  list.className = "choices";
  list.ariaLabel = "Choose a language";
  const tabs = panels.map((panel, index) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.role = "tab";
    tab.className = "plain";
    tab.id = `tab-${number}-${index}`;
    tab.textContent = panel.querySelector("figcaption > span")?.textContent ?? "";
    panel.id = `panel-${number}-${index}`;
    panel.role = "tabpanel";
    panel.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", panel.id);
    return tab;
  });
  list.append(...tabs);
  element.prepend(list);
  return { tabs, panels };
}

function show({ tabs, panels }: Group, shown: number): void {
  for (const [index, tab] of tabs.entries()) {
    tab.ariaSelected = String(index === shown);
    tab.tabIndex = index === shown ? 0 : -1;
    panels[index].hidden = index !== shown;
  }
}

function showEverywhere(groups: readonly Group[], label: string): void {
  for (const group of groups) {
    const index = group.tabs.findIndex(({ textContent }) => textContent === label);
    if (index >= 0) show(group, index);
  }
}

/** Keeps the tab where it is on the screen: groups above it may become higher or lower. */
function choose(groups: readonly Group[], tab: HTMLButtonElement): void {
  const { top } = tab.getBoundingClientRect();
  const label = tab.textContent ?? "";
  showEverywhere(groups, label);
  scrollBy(0, tab.getBoundingClientRect().top - top);
  try {
    localStorage.setItem(key, label);
  } catch {
    // A browser may keep nothing: the choice then holds on this page.
  }
}

function keptChoice(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function moveFocus({ tabs }: Group, index: number, event: KeyboardEvent): void {
  const last = tabs.length - 1;
  const next: Record<string, number> = {
    ArrowRight: index === last ? 0 : index + 1,
    ArrowLeft: index === 0 ? last : index - 1,
    Home: 0,
    End: last,
  };
  const to = tabs[next[event.key]];
  if (!to) return;
  event.preventDefault();
  to.focus();
  to.click();
}
