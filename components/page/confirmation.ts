/** A question before an action: a dialog with script, a page without. */
export interface Confirmation {
  /** Such as `Disconnect Ben?`. */
  question: string;
  /** The consequences. */
  text: string;
  /** The label of the button that confirms. */
  action: string;
  /** Whether the action takes something away. */
  danger?: boolean;
}

/** The attributes of a form that asks before it is sent; see `components/page/confirm.ts`. */
export function confirmAttributes({ question, text, action, danger }: Confirmation) {
  return {
    "data-confirm": question,
    "data-confirm-text": text,
    "data-confirm-action": action,
    "data-confirm-danger": danger ? "" : undefined,
  };
}
