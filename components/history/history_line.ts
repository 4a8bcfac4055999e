import { DatasetController, Element } from "chart.js";
import type { HistoryRange } from "@/shared/history.ts";

/** The width of the line, and the radius of a point that has none: a gap is on both sides of it. */
const [lineWidth, dotRadius] = [2, 2.5];

/**
 * The line of a history as a data set of Chart.js, registered in the place of its own "line": 6 KB of
 * gzipped script less, as it draws straight lines through points in order, and nothing else.
 */
export class HistoryLine extends DatasetController<"line"> {
  static id = "line";
  static defaults = {
    datasetElementType: false,
    dataElementType: "historyPoint",
    // It may draw beyond the axes by this many pixels: a dot at the end is whole.
    clip: dotRadius,
  };

  override draw(): void {
    const { ctx } = this.chart;
    const { xScale, yScale } = this._cachedMeta;
    // The type of Chart.js has functions, too; these options are what the configuration has.
    const { borderColor, borderDash = [] } = this.getDataset() as unknown as LineLook;
    if (!xScale || !yScale) return;
    ctx.save();
    Object.assign(ctx, { strokeStyle: borderColor, fillStyle: borderColor, lineWidth });
    ctx.lineJoin = "round";
    ctx.setLineDash(borderDash);
    for (const points of stretches(this.getDataset().data as HistoryPoint[])) {
      ctx.beginPath();
      const at = points.map(({ x, y }): [number, number] => [
        xScale.getPixelForValue(x),
        yScale.getPixelForValue(y),
      ]);
      if (at.length === 1) {
        ctx.arc(...at[0], dotRadius, 0, 2 * Math.PI);
        ctx.fill();
      } else {
        for (const point of at) ctx.lineTo(...point);
        ctx.stroke();
      }
    }
    ctx.restore();
  }
}

interface LineLook {
  borderColor: string;
  borderDash?: number[];
}

/** Chart.js wants an element for each point; the line is drawn as a whole. */
export class HistoryPointElement extends Element {
  static id = "historyPoint";
}

/** A point of the line; `y` is NaN in a gap. */
interface HistoryPoint {
  x: number;
  y: number;
}

/** The points between the gaps. */
export function stretches(points: readonly HistoryPoint[]): HistoryPoint[][] {
  const all: HistoryPoint[][] = [[]];
  for (const point of points) {
    if (Number.isNaN(point.y)) all.push([]);
    else all.at(-1)!.push(point);
  }
  return all.filter(({ length }) => length > 0);
}

const quarterHourMs = 15 * 60_000;

/** The most labels that have room on the axis. */
const maxLabels = {
  day: { narrow: 4, wide: 8 },
  month: { narrow: 5, wide: 10 },
};

/**
 * The times that the time axis names, in milliseconds since 1970: quarters of an hour, hours or
 * days of the reader's zone, and no more of them than there is room for.
 */
export function tickTimes(
  range: HistoryRange,
  from: number,
  until: number,
  isNarrow: boolean,
): number[] {
  if (range === "hour") return quarterHours(from, until);
  const room = maxLabels[range][isNarrow ? "narrow" : "wide"];
  if (range === "day") return hours(from, until, Math.ceil(24 / room));
  return days(from, until, Math.ceil(30 / room));
}

function quarterHours(from: number, until: number): number[] {
  const times: number[] = [];
  for (let at = Math.ceil(from / quarterHourMs) * quarterHourMs; at <= until; at += quarterHourMs) {
    times.push(at);
  }
  return times;
}

/** Each hour that is a multiple of `step`; twice on a day when the clock is set back. */
function hours(from: number, until: number, step: number): number[] {
  return quarterHours(from, until).filter((at) => {
    const date = new Date(at);
    return date.getMinutes() === 0 && date.getHours() % step === 0;
  });
}

/** The start of every `step`th day, counted back from the last one; 01:00 on a day without midnight. */
function days(from: number, until: number, step: number): number[] {
  const times: number[] = [];
  const last = new Date(until);
  for (let back = 0;; back += step) {
    const day = new Date(last.getFullYear(), last.getMonth(), last.getDate() - back).getTime();
    if (day < from) return times;
    times.unshift(day);
  }
}
