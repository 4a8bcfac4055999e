import type { ComponentChildren } from "preact";

/** A message about an action. Screen readers announce errors at once. */
export function Notice(
  { tone, children }: { tone: "success" | "warning" | "error"; children: ComponentChildren },
) {
  return (
    <p class={`notice notice-${tone}`} role={tone === "error" ? "alert" : "status"}>{children}</p>
  );
}
