import { Field } from "./Field.tsx";
import { Notice } from "../frame/Notice.tsx";
import { passwordLength } from "../../shared/limits.ts";

/** What a form about a person starts with after it was refused. */
export interface PersonInput {
  name?: string;
  email?: string;
  /** Why it was refused, and the input at fault if one is. */
  refusal?: { message: string; field?: string };
}

/** Name, e-mail and a new password; what was refused is said at the input at fault. */
export function PersonFields(
  { prefix, name, email, refusal }: PersonInput & {
    /** Makes the ids unique on the page. */
    prefix: string;
  },
) {
  const errorOf = (field: string) => refusal?.field === field ? refusal.message : undefined;
  const isElsewhere = refusal && !["name", "email", "password"].includes(refusal.field ?? "");
  return (
    <>
      {isElsewhere && <Notice tone="error">{refusal.message}</Notice>}
      <Field
        id={`${prefix}-name`}
        name="name"
        label="Name"
        value={name}
        error={errorOf("name")}
        autoComplete="name"
        maxLength={100}
      />
      <Field
        id={`${prefix}-email`}
        name="email"
        label="E-mail"
        type="email"
        value={email}
        error={errorOf("email")}
        autoComplete="email"
        maxLength={254}
      />
      <NewPasswordField id={`${prefix}-password`} error={errorOf("password")} />
    </>
  );
}

/** A password that is being set. */
export function NewPasswordField({ id, error }: { id: string; error?: string }) {
  return (
    <Field
      id={id}
      name="password"
      label="New password"
      type="password"
      hint={`At least ${passwordLength.minimum} characters.`}
      error={error}
      autoComplete="new-password"
      minLength={passwordLength.minimum}
      maxLength={passwordLength.maximum}
    />
  );
}
