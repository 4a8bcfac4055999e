/** The hidden field with the CSRF token of a form. */
export function CsrfField({ csrfToken }: { csrfToken: string }) {
  return <input type="hidden" name="_token" value={csrfToken} />;
}
