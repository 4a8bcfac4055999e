import { Field, type FieldProps } from "./Field.tsx";

/** A labelled input for a password, with a button that shows it where script runs. */
export function PasswordField(props: Omit<FieldProps, "type" | "aside">) {
  return (
    <Field
      {...props}
      type="password"
      aside={
        <button
          class="field-show with-script"
          type="button"
          data-show-password
          aria-controls={props.id}
        >
          Show<span class="visually-hidden">{` ${props.label.toLowerCase()}`}</span>
        </button>
      }
    />
  );
}
