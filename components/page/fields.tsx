import type { ComponentChildren } from "preact";
import { longestName, passwordLength } from "@/shared/limits.ts";
import { type Role, roleLabels } from "@/shared/permissions.ts";
import { Link } from "./links.tsx";
import { href } from "@/shared/address.ts";
import { reader, text } from "@/shared/language.ts";

/** A labelled input with a hint and an error. */
interface FieldProps {
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
          <div class="row between">
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

/** A labelled input for a password, with a button that shows it where script runs. */
export function PasswordField(props: Omit<FieldProps, "type" | "aside">) {
  return (
    <Field
      {...props}
      type="password"
      aside={
        <button
          class="plain with-script"
          type="button"
          data-show-password
          aria-controls={props.id}
        >
          {text`Show`}
          {/* In other languages a noun keeps its capital. */}
          <span class="visually-hidden">
            {` ${reader.language ? props.label : props.label.toLowerCase()}`}
          </span>
        </button>
      }
    />
  );
}

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
      hint={text`At least ${passwordLength.minimum} characters.`}
      error={error}
      autoFocus={autoFocus}
      autoComplete="new-password"
      minLength={passwordLength.minimum}
      maxLength={passwordLength.maximum}
    />
  );
}

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
    <div class="field">
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

/** One of several values, each with a text. */
export function SelectField({ id, name, label, texts, value }: {
  id: string;
  name: string;
  label: string;
  /** By value, in the order in which they are shown. */
  texts: Record<string, string>;
  value: string;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {Object.entries(texts).map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>{text}</option>
        ))}
      </select>
    </div>
  );
}

/** A choice of role. */
export function RoleField({ id, value = "user" }: { id: string; value?: Role }) {
  return <SelectField id={id} name="role" label={text`Role`} texts={roleLabels()} value={value} />;
}

/** A field that searches the list below it by reloading the page. */
export function SearchForm({ path, label, query, maxLength }: {
  path: string;
  label: string;
  query: string;
  maxLength: number;
}) {
  return (
    <form class="search" role="search" method="get" action={href(path)}>
      <div class="field">
        <label class="visually-hidden" for="search">{label}</label>
        <input
          id="search"
          type="search"
          name="q"
          value={query}
          placeholder={label}
          maxLength={maxLength}
          autoComplete="off"
        />
      </div>
      <button class="button button-quiet" type="submit">{text`Search`}</button>
      {query && <Link path={path}>{text`Clear search`}</Link>}
    </form>
  );
}

interface Props {
  kind?: "main" | "quiet" | "danger" | "danger-solid";
  children: ComponentChildren;
}

/**
 * The button that sends a form: the main one of a page, a quiet one, one for a dangerous action
 * (`danger`), or the one that confirms it (`danger-solid`).
 */
export function Button({ kind = "main", children }: Props) {
  const look = kind === "main" ? "" : ` button-${kind}`;
  return <button class={`button${look}`} type="submit">{children}</button>;
}

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
        label={text`Name`}
        value={name}
        error={errorOf("name")}
        autoFocus={refusal ? errorOf("name") !== undefined : isFocused}
        autoComplete="name"
        maxLength={longestName}
      />
      <Field
        id={`${prefix}-email`}
        name="email"
        label={text`Email`}
        type="email"
        value={email}
        error={errorOf("email")}
        autoFocus={errorOf("email") !== undefined}
        autoComplete="email"
        maxLength={254}
      />
      <NewPasswordField
        id={`${prefix}-password`}
        label={text`Password`}
        error={errorOf("password")}
        autoFocus={errorOf("password") !== undefined}
      />
    </>
  );
}

/** A message about an action. Screen readers announce errors at once. */
export function Notice(
  { tone, children }: { tone: "success" | "warning" | "error"; children: ComponentChildren },
) {
  return (
    <p class={`notice notice-${tone}`} role={tone === "error" ? "alert" : "status"}>{children}</p>
  );
}
