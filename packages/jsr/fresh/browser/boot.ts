import { type ComponentType, type ContainerNode, h, hydrate } from "preact";

/**
 * Wakes the islands of the page: hydrates what the server has rendered between each pair of comments.
 *
 * @param components by the names that stand in the comments
 * @param props by the index that stands in the comments
 */
export function boot(
  components: Record<string, ComponentType<object>>,
  props: readonly object[],
): void {
  const comments = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_COMMENT);
  const starts: Comment[] = [];
  while (comments.nextNode()) {
    const comment = comments.currentNode as Comment;
    if (comment.data.startsWith("frsh:island:")) starts.push(comment);
  }
  for (const start of starts) {
    const [, , name, index] = start.data.split(":");
    hydrate(h(components[name], props[Number(index)]), containerAfter(start));
  }
}

/** The nodes from one comment to the next of the same level, as something that preact can fill. */
function containerAfter(start: Comment): ContainerNode {
  const parent = start.parentNode!;
  const childNodes: ChildNode[] = [];
  let end = start.nextSibling;
  while (end && !(end instanceof Comment && end.data === "/frsh:island")) {
    childNodes.push(end);
    end = end.nextSibling;
  }
  return {
    nodeType: Node.ELEMENT_NODE,
    // The parent of an island is an element.
    namespaceURI: (parent as Element).namespaceURI,
    parentNode: parent,
    firstChild: childNodes[0] ?? null,
    childNodes,
    contains: (node: Node | null) => parent.contains(node),
    insertBefore: <T extends Node>(node: T, before: Node | null) =>
      parent.insertBefore(node, before ?? end),
    removeChild: <T extends Node>(node: T) => parent.removeChild(node),
    // Preact uses this much of an element, where its types ask for all of it.
  } as unknown as ContainerNode;
}
