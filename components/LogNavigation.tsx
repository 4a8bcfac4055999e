const logs = [
  { href: "/admin/log", label: "Attendance" },
  { href: "/admin/log/audit", label: "Audit" },
];

/** Leads from one log to the other. */
export function LogNavigation({ path }: { path: string }) {
  return (
    <nav class="tabs" aria-label="Logs">
      {logs.map(({ href, label }) => (
        <a key={href} href={href} aria-current={path === href ? "page" : undefined}>{label}</a>
      ))}
    </nav>
  );
}
