import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { language } from '../strings.ts';
import { useSize } from '../use.ts';
import type { PlotData } from './series.ts';

export interface PlotLine {
  title: string;
  /** A custom property of the theme, as in `--ok`. */
  colour: string;
  /** True if the area below it is filled. */
  isFilled?: boolean;
}

export interface PlotProps {
  /** Describes the plot for people who do not see it. */
  label: string;
  lines: readonly PlotLine[];
  data: PlotData;
  /** A value with its unit. */
  unit: (value: number) => string;
  /** True if each step of the scale is a multiple of the one before. */
  isLogarithmic?: boolean;
  /** Drawn anew when it changes, since colours are those of the theme. */
  theme: string;
}

const HEIGHT = 200;
const FONT = '12px system-ui, sans-serif';

/** Lines over time. */
export function Plot({ label, lines, data, unit, isLogarithmic = false, theme }: PlotProps) {
  const { element, size } = useSize<HTMLDivElement>();
  const plot = useRef<uPlot | undefined>(undefined);
  const { width } = size.value;
  useEffect(() => {
    const { current } = element;
    if (!current || width === 0) return;
    plot.current = new uPlot(optionsOf({ lines, unit, isLogarithmic, width }), aligned(data), current);
    return () => {
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [theme, language.value, width === 0, isLogarithmic]);
  useEffect(() => plot.current?.setSize({ width, height: HEIGHT }), [width]);
  useEffect(() => plot.current?.setData(aligned(data)), [data]);
  return <div aria-label={label} class="plot" ref={element} role="img" />;
}

function aligned({ times, lines }: PlotData): uPlot.AlignedData {
  return [times, ...lines];
}

function optionsOf({
  lines,
  unit,
  isLogarithmic,
  width,
}: Pick<PlotProps, 'lines' | 'unit' | 'isLogarithmic'> & { width: number }): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--text-3'), font: FONT, ticks: { show: false } };
  // Of a logarithmic scale only the powers of ten.
  const filter = (_: uPlot, splits: number[]) => splits.map(value => (isPower(value) ? value : null));
  const grid = { stroke: colour('--border'), width: 1, ...(isLogarithmic ? { filter } : {}) };
  const clock = (at: number) => new Date(at * 1000).toLocaleTimeString(language.value, { hourCycle: 'h23' });
  return {
    width,
    height: HEIGHT,
    padding: [8, 26, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      y: isLogarithmic
        ? { distr: 3, range: (_, low, high) => logRange(low, high) }
        : { range: (_, __, high) => [0, Math.max(5, high * 1.1)] },
    },
    axes: [
      { ...axis, grid: { show: false }, values: (_, times) => times.map(clock), space: 90, size: 28 },
      { ...axis, grid, size: 62, values: (_, values) => values.map(value => (value === null ? '' : unit(value))) },
    ],
    series: [
      {},
      ...lines.map(line => ({
        label: line.title,
        stroke: colour(line.colour),
        width: 1.6,
        spanGaps: false,
        points: { show: isLogarithmic, size: 3 },
        ...(line.isFilled ? { fill: `color-mix(in srgb, ${colour(line.colour)} 16%, transparent)` } : {}),
      })),
    ],
  };
}

function isPower(value: number): boolean {
  return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6;
}

/** Whole powers of ten around the values. */
function logRange(low: number, high: number): [number, number] {
  if (!(low > 0) || !(high > 0)) return [0.1, 1000];
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + 0.01)];
}
