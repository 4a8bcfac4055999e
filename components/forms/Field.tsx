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
}

/** See {@linkcode FieldProps}. The error, or else the hint, describes the input to screen readers. */
export function Field(
  { id, name, label, type = "text", value, hint, error, autoComplete, required = true, ...limits }:
    FieldProps,
) {
  const note = error ?? hint;
  const noteId = note && `${id}-note`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        value={value}
        autoComplete={autoComplete}
        required={required}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={noteId}
        {...limits}
      />
      {note && <p class={error ? "field-error" : "field-hint"} id={noteId}>{note}</p>}
    </div>
  );
}
