import { href } from "@/shared/address.ts";
import type { AppView } from "@/server/apps/app_registry.ts";

/** The apps to choose from; nothing while there is one. */
export function AppPicker({ apps, current }: { apps: AppView[]; current: AppView }) {
  if (apps.length < 2) return null;
  return (
    <nav class="app-picker" aria-label="Apps">
      <ul>
        {apps.map(({ id, name }) => (
          <li key={id}>
            <a
              href={href(`/admin/connect?app=${encodeURIComponent(id)}`)}
              aria-current={id === current.id ? "page" : "false"}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
