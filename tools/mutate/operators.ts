import { parse } from "@babel/parser";

/** One way to break a piece of code. */
export interface Break {
  /** What is done to the code: a phrase. */
  readonly what: string;
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** What the operators use of a node of the syntax tree. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** An operator that stands for another one's fault: a boundary that is off, or a case that is mixed up. */
const swapped: Readonly<Record<string, string>> = {
  "&&": "||",
  "||": "&&",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
};

/** Statements that can be left out while the code still loads. */
const droppable = new Set(["ExpressionStatement", "ReturnStatement", "ThrowStatement"]);

/** Where nothing is broken: types, and what only says what a module has. */
const untouched = /^(TS(?!AsExpression|NonNull|Satisfies)|Import|ExportAll)/;

/**
 * All ways in which the operators break a module, in the order of its text: they negate conditions,
 * leave out statements, change constants by one, and swap operators.
 *
 * @throws {SyntaxError} where the text is no TypeScript.
 */
export function breaksOf(text: string, isTsx: boolean): Break[] {
  const tree = parse(text, {
    sourceType: "module",
    plugins: isTsx ? ["typescript", "jsx"] : ["typescript"],
    createParenthesizedExpressions: true,
  });
  const breaks: Break[] = [];
  // The parser has a type for each kind of node; a change asks for what all have.
  walk(tree.program as unknown as SyntaxNode, (node, parent) => {
    for (const operator of operators) breaks.push(...operator(node, text, parent));
  });
  return breaks.toSorted((one, other) => one.start - other.start);
}

/** One operator: the ways in which it breaks a node. */
type Operator = (node: SyntaxNode, text: string, parent: SyntaxNode | null) => Break[];

const operators: readonly Operator[] = [negated, leftOut, offByOne, withOtherOperator, withoutNot];

function negated({ test, type }: SyntaxNode, text: string): Break[] {
  if (!/^(If|While|Conditional)/.test(type) || !isNode(test)) return [];
  return [replaced(test, `!(${text.slice(test.start, test.end)})`, "a condition is negated")];
}

function leftOut(node: SyntaxNode, text: string, parent: SyntaxNode | null): Break[] {
  if (!droppable.has(node.type) || parent === null) return [];
  // The value of a function that has to have one is another fault, which types find.
  if (node.type === "ReturnStatement" && parent.type === "BlockStatement" && node.argument) {
    const isLast = (parent.body as SyntaxNode[]).at(-1) === node;
    if (isLast) return [replaced(node, "return undefined as never;", "nothing is returned")];
  }
  // A constructor without its call of the parent's does not run at all.
  if (text.startsWith("super(", node.start)) return [];
  const to = parent.type === "BlockStatement" || parent.type === "Program" ? "" : "{}";
  return [replaced(node, to, "a statement is left out")];
}

function offByOne(node: SyntaxNode, text: string, parent: SyntaxNode | null): Break[] {
  if (node.type !== "NumericLiteral" || isKey(node, parent)) return [];
  const literal = text.slice(node.start, node.end);
  return [
    replaced(node, `(${literal} + 1)`, "a constant is greater by one"),
    replaced(node, `(${literal} - 1)`, "a constant is less by one"),
  ];
}

function withOtherOperator(node: SyntaxNode, text: string): Break[] {
  if (node.type !== "LogicalExpression" && node.type !== "BinaryExpression") return [];
  const { left, right, operator } = node;
  const other = swapped[operator as string];
  if (other === undefined || !isNode(left) || !isNode(right)) return [];
  // Of two texts no difference can be taken.
  if (operator === "+" && /^["'`]/.test(text.slice(left.start))) return [];
  const start = text.indexOf(operator as string, left.end);
  const end = start + (operator as string).length;
  return [{ what: `${operator} becomes ${other}`, start, end, to: other }];
}

function withoutNot(node: SyntaxNode, text: string): Break[] {
  const { argument } = node;
  if (node.type !== "UnaryExpression" || node.operator !== "!" || !isNode(argument)) return [];
  return [replaced(node, text.slice(argument.start, argument.end), "a ! is left out")];
}

function replaced({ start, end }: SyntaxNode, to: string, what: string): Break {
  return { what, start, end, to };
}

/** Whether a literal names a property, and so is no value. */
function isKey(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  return parent?.key === node && parent.computed !== true;
}

type Visit = (node: SyntaxNode, parent: SyntaxNode | null) => void;

function walk(node: SyntaxNode, visit: Visit, parent: SyntaxNode | null = null): void {
  if (untouched.test(node.type)) return;
  visit(node, parent);
  for (const child of Object.values(node).flat()) {
    if (isNode(child)) walk(child, visit, node);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value &&
    !/^Comment/.test(String(value.type));
}
