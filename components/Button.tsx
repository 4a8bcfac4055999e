import type { ComponentChildren } from "preact";

/** The button that sends a form; the main one of a page, a quiet one, or one that takes away. */
export function Button(
  { kind = "main", children }: { kind?: "main" | "quiet" | "danger"; children: ComponentChildren },
) {
  const look = kind === "main" ? "" : ` button-${kind}`;
  return <button class={`button${look}`} type="submit">{children}</button>;
}
