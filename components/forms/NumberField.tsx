/** A labelled input for a whole number. The error describes it to screen readers. */
export function NumberField({ id, name, label, value, minimum, maximum, error }: {
  /** Unique on the page. */
  id: string;
  name: string;
  label: string;
  value: string;
  minimum: number;
  maximum: number;
  /** What is wrong with the value that was sent. */
  error?: string;
}) {
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
        aria-describedby={error && `${id}-note`}
      />
      {error && <p class="field-error" id={`${id}-note`}>{error}</p>}
    </div>
  );
}
