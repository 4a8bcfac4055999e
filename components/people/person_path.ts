/** The page of a person; below it are the addresses of what can be done to them. */
export function personPath(id: string): string {
  return `/admin/people/${encodeURIComponent(id)}`;
}
