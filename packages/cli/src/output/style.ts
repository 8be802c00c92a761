/** Marks text on a terminal. Outputs without colours get the text unchanged. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** Columns of a line; infinite without a terminal. */
  width: number;
}

export interface StyleOptions {
  colour: boolean;
  /** Columns of a line. @default no limit: output into a file or a pipe is not cut */
  width?: number | undefined;
}

export function createStyle({ colour, width = Number.POSITIVE_INFINITY }: StyleOptions): Style {
  const mark = (open: number, close: number) => (text: string) =>
    colour && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: mark(1, 22),
    dim: mark(2, 22),
    red: mark(31, 39),
    green: mark(32, 39),
    yellow: mark(33, 39),
    cyan: mark(36, 39),
    width: Math.max(40, width),
  };
}
