/** The hidden field that carries the anti-forgery token of a form. */
export function TokenField({ csrfToken }: { csrfToken: string }) {
  return <input type="hidden" name="_token" value={csrfToken} />;
}
