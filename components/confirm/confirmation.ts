/** What is asked before something is done: by a dialog with script, by a page without. */
export interface Confirmation {
  /** Such as `Remove Ben?`. */
  question: string;
  /** What will happen. */
  text: string;
  /** What the button says that does it. */
  action: string;
  /** Whether something is taken away from somebody. */
  danger?: boolean;
}

/** The attributes of a form that asks before it is sent; see `browser/page/confirm.ts`. */
export function confirming({ question, text, action, danger }: Confirmation) {
  return {
    "data-confirm": question,
    "data-confirm-text": text,
    "data-confirm-action": action,
    "data-confirm-danger": danger ? "" : undefined,
  };
}
