import { href } from "../../shared/address.ts";

const logs = [
  { path: "/admin/activity", label: "Activity" },
  { path: "/admin/audit", label: "Audit log" },
];

/** Links between the activity log and the audit log. */
export function ActivityNavigation({ path }: { path: string }) {
  return (
    <nav class="tabs" aria-label="Logs">
      {logs.map(({ path: to, label }) => (
        <a key={to} href={href(to)} aria-current={path === to ? "page" : undefined}>{label}</a>
      ))}
    </nav>
  );
}
