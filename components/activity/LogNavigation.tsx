import { href } from "../../shared/address.ts";

const logs = [
  { path: "/admin/activity", label: "Attendance" },
  { path: "/admin/audit", label: "Audit" },
];

/** Leads from one log to the other. */
export function LogNavigation({ path }: { path: string }) {
  return (
    <nav class="tabs" aria-label="Logs">
      {logs.map(({ path: to, label }) => (
        <a key={to} href={href(to)} aria-current={path === to ? "page" : undefined}>{label}</a>
      ))}
    </nav>
  );
}
