/** The logo of Rollcall: three rising bars. */
export function Logo() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect fill="var(--accent)" width="32" height="32" rx="8" />
      <rect fill="var(--on-accent)" x="7" y="17" width="4" height="8" rx="1.5" />
      <rect fill="var(--on-accent)" x="14" y="12" width="4" height="13" rx="1.5" />
      <rect fill="var(--on-accent)" x="21" y="7" width="4" height="18" rx="1.5" />
    </svg>
  );
}
