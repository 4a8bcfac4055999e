/** Links that choose one value of a parameter of the address; with script they do not reload the page. */
export function ChoiceLinks<Value extends string>(
  { label, parameter, options, chosen, search, onChoose }: {
    label: string;
    parameter: string;
    /** The values with their texts. */
    options: readonly (readonly [Value, string])[];
    chosen: Value;
    /** The query of the page's address; its other parameters are kept. */
    search: string;
    onChoose(value: Value): void;
  },
) {
  const addressOf = (value: Value) => {
    const parameters = new URLSearchParams(search);
    parameters.set(parameter, value);
    return `?${parameters}#history`;
  };
  return (
    <nav class="choices" aria-label={label}>
      {options.map(([value, text]) => (
        <a
          key={value}
          href={addressOf(value)}
          aria-current={value === chosen ? "true" : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onChoose(value);
          }}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
