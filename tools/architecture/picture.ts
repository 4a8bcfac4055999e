import type { Import } from "./imports.ts";
import type { Layer } from "./layers.ts";

const width = 1_200;
const margin = 24;
const box = { width: 214, height: 48 };
const rowHeight = 100;

interface Place {
  layer: Layer;
  x: number;
  y: number;
}

/**
 * Draws who imports whom, as SVG: a row a level, the foundations at the bottom. An arrow that others
 * already imply is left out; a dashed one stands for types only.
 */
export function drawLayers(layers: readonly Layer[], imports: readonly Import[]): string {
  const edges = edgesBetween(layers, imports);
  const rows = rowsOf(layers, edges);
  const places = placesOf(rows, edges);
  const height = rows.length * rowHeight - (rowHeight - box.height) + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"
  aria-labelledby="title">
<title id="title">Which part of Rollcall imports which</title>
<style>
  svg { color-scheme: light dark; background: light-dark(#fff, #14181a); }
  text { font: 15px system-ui, sans-serif; fill: light-dark(#1b2421, #e8efec); text-anchor: middle; }
  .note { font-size: 11.5px; fill: light-dark(#56605c, #a3b0aa); }
  rect { fill: light-dark(#eef5f2, #1f2a27); stroke: light-dark(#2f7d62, #6fc7a6); }
  path { fill: none; stroke: light-dark(#8b9a94, #71807a); stroke-width: 1.3; }
  .types { stroke-dasharray: 4 4; }
  #head path { fill: light-dark(#8b9a94, #71807a); stroke: none; }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"
  orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${arrows(places, reduced(edges)).join("\n")}
${[...places.values()].map(drawBox).join("\n")}
</svg>
`;
}

interface Edge {
  from: string;
  to: string;
  typeOnly: boolean;
}

function edgesBetween(layers: readonly Layer[], imports: readonly Import[]): Edge[] {
  const names = new Set(layers.map(({ name }) => name));
  const edges = new Map<string, Edge>();
  for (const { from, to, typeOnly } of imports) {
    const edge = { from: from.split("/")[0], to: to.split("/")[0], typeOnly };
    if (edge.from === edge.to || !names.has(edge.from) || !names.has(edge.to)) continue;
    const key = `${edge.from} ${edge.to}`;
    if (!typeOnly || !edges.has(key)) edges.set(key, edge);
  }
  return [...edges.values()].sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
}

/** Each layer one row above the highest of those that it imports. */
function rowsOf(layers: readonly Layer[], edges: readonly Edge[]): Layer[][] {
  const level = new Map<string, number>();
  for (const { name } of layers) {
    const below = edges.filter(({ from }) => from === name).map(({ to }) => level.get(to) ?? 0);
    level.set(name, below.length === 0 ? 0 : Math.max(...below) + 1);
  }
  const highest = Math.max(...level.values());
  return Array.from(
    { length: highest + 1 },
    (_, index) => layers.filter(({ name }) => level.get(name) === highest - index),
  );
}

/** Rows from the bottom up; in a row, each stands above the middle of what it imports. */
function placesOf(rows: readonly Layer[][], edges: readonly Edge[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const [index, row] of [...rows.entries()].reverse()) {
    const wish = (name: string) => {
      const below = edges.filter(({ from }) => from === name)
        .flatMap(({ to }) => places.get(to)?.x ?? []);
      return below.length === 0 ? width / 2 : below.reduce((sum, x) => sum + x, 0) / below.length;
    };
    const sorted = [...row].sort((a, b) => wish(a.name) - wish(b.name));
    const step = (width - 2 * margin) / sorted.length;
    for (const [column, layer] of sorted.entries()) {
      const x = margin + step * (column + 0.5);
      places.set(layer.name, { layer, x, y: margin + index * rowHeight });
    }
  }
  return places;
}

/** The edges that no longer way stands for. */
function reduced(edges: readonly Edge[]): Edge[] {
  const reaches = (from: string, to: string): boolean =>
    edges.some((edge) => edge.from === from && (edge.to === to || reaches(edge.to, to)));
  return edges.filter(({ from, to }) =>
    !edges.some((edge) => edge.from === from && edge.to !== to && reaches(edge.to, to))
  );
}

/** Draws edges one by one: each that passes other rows has a lane of its own between their boxes. */
function arrows(places: ReadonlyMap<string, Place>, edges: readonly Edge[]): string[] {
  const lanes: number[] = [];
  return edges.map(({ from, to, typeOnly }) => {
    const [start, end] = [places.get(from)!, places.get(to)!];
    const passed = [...places.values()].filter(({ y }) => y > start.y && y < end.y);
    const points = [{ x: start.x, y: start.y + box.height }];
    if (passed.length > 0) {
      const x = freeLane((start.x + end.x) / 2, passed, lanes);
      lanes.push(x);
      points.push({ x, y: start.y + rowHeight - 6 }, { x, y: end.y - rowHeight + box.height + 6 });
    }
    points.push({ x: end.x, y: end.y - 2 });
    const line = points.map((point, index) => curve(points[index - 1], point)).join("");
    return `<path${typeOnly ? ` class="types"` : ""} marker-end="url(#head)" d="${line}"/>`;
  });
}

/** The nearest place for a line that crosses no box and no other lane. */
function freeLane(wish: number, passed: readonly Place[], taken: readonly number[]): number {
  const isFree = (x: number) =>
    passed.every((place) => Math.abs(place.x - x) > box.width / 2 + 8) &&
    taken.every((lane) => Math.abs(lane - x) > 9);
  const all = Array.from({ length: (width - 8) / 4 }, (_, index) => 4 + 4 * index).filter(isFree);
  return all.reduce(
    (best, x) => Math.abs(x - wish) < Math.abs(best - wish) ? x : best,
    all[0] ?? wish,
  );
}

function curve(from: Point | undefined, to: Point): string {
  if (!from) return `M${round(to.x)} ${to.y}`;
  const middle = round((from.y + to.y) / 2);
  return `C${round(from.x)} ${middle} ${round(to.x)} ${middle} ${round(to.x)} ${to.y}`;
}

interface Point {
  x: number;
  y: number;
}

function drawBox({ layer, x, y }: Place): string {
  const left = round(x - box.width / 2);
  return `<rect x="${left}" y="${y}" width="${box.width}" height="${box.height}" rx="8"/>` +
    `<text x="${round(x)}" y="${y + 21}">${layer.name}</text>` +
    `<text class="note" x="${round(x)}" y="${y + 37}">${layer.holds}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
