/** How many calls run at the same time while much is stated again: Redis carries them out one by one. */
const atOnce = 500;

/** Does something with each of many items, some hundred at a time. @param mayGoOn is asked before each group */
export async function inGroups<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  mayGoOn: () => boolean,
): Promise<void> {
  for (let start = 0; start < items.length && mayGoOn(); start += atOnce) {
    await Promise.all(items.slice(start, start + atOnce).map(work));
  }
}
