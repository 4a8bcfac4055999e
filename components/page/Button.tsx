import type { ComponentChildren } from "preact";

interface Props {
  kind?: "main" | "quiet" | "danger" | "danger-solid";
  children: ComponentChildren;
}

/**
 * The button that sends a form: the main one of a page, a quiet one, one for a dangerous action
 * (`danger`), or the one that confirms it (`danger-solid`).
 */
export function Button({ kind = "main", children }: Props) {
  const look = kind === "main" ? "" : ` button-${kind}`;
  return <button class={`button${look}`} type="submit">{children}</button>;
}
