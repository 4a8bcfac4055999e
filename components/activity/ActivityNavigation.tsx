import { Link } from "../page/Link.tsx";

const logs = [
  { path: "/admin/activity", label: "Activity" },
  { path: "/admin/audit", label: "Audit log" },
];

/** Links between the activity log and the audit log. */
export function ActivityNavigation({ path }: { path: string }) {
  return (
    <nav class="tabs" aria-label="Logs">
      {logs.map(({ path: to, label }) => (
        <Link key={to} path={to} current={path === to ? "page" : "false"}>{label}</Link>
      ))}
    </nav>
  );
}
