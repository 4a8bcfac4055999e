/** A labelled input for a whole number. The error, or else the hint, describes it to screen readers. */
export function NumberField({ id, name, label, value, minimum, maximum, hint, error }: {
  /** Unique on the page. */
  id: string;
  name: string;
  label: string;
  value: string;
  minimum: number;
  maximum: number;
  hint?: string;
  /** What is wrong with the value that was sent. */
  error?: string;
}) {
  const note = error ?? hint;
  return (
    <div class="field field-number">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="number"
        inputMode="numeric"
        value={value}
        min={minimum}
        max={maximum}
        step={1}
        required
        autoComplete="off"
        aria-invalid={error ? "true" : undefined}
        aria-describedby={note && `${id}-note`}
      />
      {note && <p class={error ? "field-error" : "field-hint"} id={`${id}-note`}>{note}</p>}
    </div>
  );
}
