import { type Figures, isMegabytes } from "./figures.ts";

/** The kinds of figures that are drawn, one chart each, by how their names begin. */
const charts: [title: string, begins: RegExp][] = [
  ["Resident memory of each process", /^resident/],
  ["Open files of each process", /^files/],
  ["Size of the database", /^database/],
  ["What is kept in memory", /^(connections|subscriptions|members|channels)$/],
];

/** In the units of the picture: of a chart's drawing area, and of what is around it. */
const [width, height, left, top, rowHeight] = [560, 90, 60, 30, 150];

/** Readable on light and dark backgrounds, in the order of the lines of a chart. */
const colors = ["#2f7bd9", "#c25e00", "#3f8f4f", "#8b5fbf"];

/** Draws figures that were measured at even intervals as an SVG: charts over time, from zero. */
export function drawSeries(series: Figures[], minutes: number): string {
  const drawn = charts.map(([title, begins]) => ({
    title,
    names: Object.keys(series[0]).filter((name) => begins.test(name)),
  })).filter(({ names }) => names.length > 0);
  const rows = drawn.map(({ title, names }, row) => {
    const peak = Math.max(1, ...series.flatMap((figures) => names.map((name) => figures[name])));
    const lines = names.map((name, index) => {
      const values = series.map((figures) => figures[name]);
      return lineOfChart(values, peak, colors[index % colors.length]);
    });
    const unit = isMegabytes(names[0]) ? " MB" : "";
    const head = text(0, -12, title, "font-weight='bold'") +
      text(-8, 4, `${Math.round(peak)}${unit}`, "text-anchor='end'") +
      text(-8, height, "0", "text-anchor='end'");
    return `<g transform="translate(${left} ${top + row * rowHeight})">` +
      `<path d="M0 0V${height}H${width}" fill="none" stroke="#8a8f98"/>${head}` +
      `${lines.join("")}${legendOf(names, series)}</g>`;
  });
  const total = top + drawn.length * rowHeight;
  const hours = text(left + width, total - 8, `${minutes} minutes`, "text-anchor='end'");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 10} ${total}" ` +
    `font-family="system-ui, sans-serif" font-size="11" fill="#6b7280">${
      rows.join("")
    }${hours}</svg>\n`;
}

function lineOfChart(values: number[], peak: number, color: string): string {
  const points = values.map((value, index) => {
    const x = width * index / Math.max(1, values.length - 1);
    return `${x.toFixed(1)} ${(height * (1 - value / peak)).toFixed(1)}`;
  });
  return `<path d="M${points.join("L")}" fill="none" stroke="${color}" stroke-width="1.5"/>`;
}

/** Under a chart: each line's name with its last value. */
function legendOf(names: string[], series: Figures[]): string {
  const step = width / names.length;
  return names.map((name, index) => {
    const last = Math.round(series[series.length - 1][name]);
    const short = name.replace(/^(resident|files) /, "");
    const color = colors[index % colors.length];
    return text(index * step, height + 18, `${short}: ${last}`, `style="fill:${color}"`);
  }).join("");
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;
}
