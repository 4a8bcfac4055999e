import { longestName } from "@/shared/limits.ts";
import { Field } from "./Field.tsx";
import { NewPasswordField } from "./NewPasswordField.tsx";
import { Notice } from "./Notice.tsx";

/** The input of a form about a person that was refused. */
export interface PersonInput {
  name?: string;
  email?: string;
  /** Why it was refused, and the name of the invalid input if there is one. */
  refusal?: { message: string; field?: string };
}

/** Name, email and a password. An error is shown at the invalid input. */
export function PersonFields(
  { prefix, name, email, refusal, isFocused = false }: PersonInput & {
    /** Makes the ids unique on the page. */
    prefix: string;
    /** Whether the first field has the focus while no input is refused. */
    isFocused?: boolean;
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
        autoFocus={refusal ? errorOf("name") !== undefined : isFocused}
        autoComplete="name"
        maxLength={longestName}
      />
      <Field
        id={`${prefix}-email`}
        name="email"
        label="Email"
        type="email"
        value={email}
        error={errorOf("email")}
        autoFocus={errorOf("email") !== undefined}
        autoComplete="email"
        maxLength={254}
      />
      <NewPasswordField
        id={`${prefix}-password`}
        label="Password"
        error={errorOf("password")}
        autoFocus={errorOf("password") !== undefined}
      />
    </>
  );
}
