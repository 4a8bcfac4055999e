import type { ComponentChildren } from "preact";

/** A labelled input with a hint and an error. */
export interface FieldProps {
  /** Unique on the page. */
  id: string;
  name: string;
  label: string;
  type?: "text" | "email" | "password" | "url";
  value?: string;
  hint?: string;
  /** What is wrong with the value that was sent; marks the input as invalid. */
  error?: string;
  /** The `autocomplete` token of HTML. */
  autoComplete: string;
  minLength?: number;
  maxLength?: number;
  required?: boolean;
  isReadOnly?: boolean;
  /** Whether the page opens with the focus here, scrolled into view; of one input at most. */
  autoFocus?: boolean;
  /** What is at the end of the label's line. */
  aside?: ComponentChildren;
}

/** See {@linkcode FieldProps}. The error, or else the hint, describes the input to screen readers. */
export function Field(
  {
    id,
    name,
    label,
    type = "text",
    value,
    hint,
    error,
    autoComplete,
    required = true,
    isReadOnly,
    aside,
    ...others
  }: FieldProps,
) {
  const note = error ?? hint;
  const noteId = note && `${id}-note`;
  return (
    <div class="field">
      {aside
        ? (
          <div class="field-head">
            <label for={id}>{label}</label>
            {aside}
          </div>
        )
        : <label for={id}>{label}</label>}
      <input
        id={id}
        name={name}
        type={type}
        value={value}
        autoComplete={autoComplete}
        required={required}
        readOnly={isReadOnly}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={noteId}
        {...others}
      />
      {note && <p class={error ? "field-error" : "field-hint"} id={noteId}>{note}</p>}
    </div>
  );
}
