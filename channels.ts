/** Who asks: a signed-in user, or a guest where guests are admitted. */
export interface Visitor {
  /** Opaque and stable; everybody in a presence channel sees it. */
  id: string;
  kind: "user" | "guest";
  isAdmin: boolean;
}

/** The answer to "may this visitor join?": what others see of them, `true`, or `false`. */
type Admission = boolean | MemberInfo;

/** What everybody in a presence channel receives of everybody else. Names have no place here. */
export interface MemberInfo {
  id: string;
}

type Rule = (visitor: Visitor, parameters: Record<string, string>) => Admission;

/** Who may join which channel: one rule a line, `{name}` stands for one part of the name. */
const rules: Record<string, Rule> = {
  "presence-chart": (visitor) => ({ id: visitor.id }),
  "private-users.{id}": (visitor, { id }) => visitor.id === id,
  "private-admin.online": (visitor) => visitor.isAdmin,
};

const patterns = Object.entries(rules).map(([name, rule]) => ({
  pattern: new RegExp(
    "^" + name.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>[^.]+)") + "$",
  ),
  rule,
}));

/**
 * Decides whether a visitor may join a channel. Channels without a rule are refused.
 *
 * @returns what the other members see of the visitor (presence channels), `true`, or `false`.
 */
export function admit(visitor: Visitor, channel: string): Admission {
  for (const { pattern, rule } of patterns) {
    const match = pattern.exec(channel);
    if (match) return rule(visitor, { ...match.groups });
  }
  return false;
}

/** The presence channel whose members are the users online; Echo's name for it is `chart`. */
export const onlineChannel = "presence-chart";

/** The channel on which admins hear who the members of {@link onlineChannel} are. */
export const adminChannel = "private-admin.online";
