import { passwordLength } from "@/shared/limits.ts";
import { PasswordField } from "./PasswordField.tsx";

/** A password that is being set. */
export function NewPasswordField({ id, label, error, autoFocus }: {
  id: string;
  label: string;
  error?: string;
  autoFocus?: boolean;
}) {
  return (
    <PasswordField
      id={id}
      name="password"
      label={label}
      hint={`At least ${passwordLength.minimum} characters.`}
      error={error}
      autoFocus={autoFocus}
      autoComplete="new-password"
      minLength={passwordLength.minimum}
      maxLength={passwordLength.maximum}
    />
  );
}
