import type { ComponentChildren } from "preact";

/** A message about what was just done. Errors are read out at once. */
export function Notice(
  { tone, children }: { tone: "success" | "warning" | "error"; children: ComponentChildren },
) {
  return (
    <p class={`notice notice-${tone}`} role={tone === "error" ? "alert" : "status"}>{children}</p>
  );
}
