import { passwordLength } from "../../shared/limits.ts";
import { Field } from "./Field.tsx";

/** A password that is being set. */
export function NewPasswordField({ id, label, error }: {
  id: string;
  label: string;
  error?: string;
}) {
  return (
    <Field
      id={id}
      name="password"
      label={label}
      type="password"
      hint={`At least ${passwordLength.minimum} characters.`}
      error={error}
      autoComplete="new-password"
      minLength={passwordLength.minimum}
      maxLength={passwordLength.maximum}
    />
  );
}
