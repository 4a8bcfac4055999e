/** Former names of settings, which are still read, and their current names. */
const renamed = [
  { former: "ATTENDANCE_DAYS", current: "ACTIVITY_DAYS" },
] as const;

type Environment = Record<string, string | undefined>;

/**
 * The settings that an environment gives, by their current names. An empty value counts as not given,
 * because Laravel's `.env` lists names without values. Of a renamed setting, the current name wins.
 */
export function givenSettings(names: readonly string[], environment: Environment): Environment {
  const settings = Object.fromEntries(names.map((name) => [name, valueOf(environment, name)]));
  for (const { former, current } of renamed) settings[current] ??= valueOf(environment, former);
  return settings;
}

/** One line for each setting whose former and current name have different values. */
export function renamedSettingProblems(environment: Environment): string[] {
  return renamed.flatMap(({ former, current }) => {
    const [before, now] = [valueOf(environment, former), valueOf(environment, current)];
    if (before === undefined || now === undefined || before === now) return [];
    return [`${former}: given, but ${current} is too, with another value; expected one of them`];
  });
}

function valueOf(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}
