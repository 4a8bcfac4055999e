/**
 * Copies a text. Browsers allow it only on https and localhost, and can refuse it there.
 *
 * @returns whether it is copied.
 */
export async function copiedText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
