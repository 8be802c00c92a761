import type { Element } from '../../content/element.ts';
import { annotation, formula } from '../../content/make.ts';
import { type CellPlace, cellName, relativeFormula } from './reference.ts';

const MAX_FORMULAS = 100;

interface FormulaRun {
  first: CellPlace;
  last: CellPlace;
  expression: string;
  relative: string;
}

/** Gathers formulas; one that was copied down a column is one formula over a range. */
export class FormulaCollector {
  readonly #runs: FormulaRun[] = [];
  readonly #latest = new Map<number, FormulaRun>();
  #left = 0;

  add(place: CellPlace, expression: string): void {
    const relative = relativeFormula(expression, place);
    const above = this.#latest.get(place.column);
    if (above?.relative === relative && above.last.row === place.row - 1) {
      above.last = place;
      return;
    }
    const run = { first: place, last: place, expression, relative };
    this.#latest.set(place.column, run);
    if (this.#runs.length < MAX_FORMULAS) this.#runs.push(run);
    else this.#left += 1;
  }

  /** A formula that the file itself shares among cells: those below repeat the one above. */
  repeat(place: CellPlace): void {
    const above = this.#latest.get(place.column);
    if (above !== undefined && above.last.row === place.row - 1) above.last = place;
  }

  elements(sheet: string): Element[] {
    const found = this.#runs.map(({ first, last, expression, relative }) => {
      const range = first.row === last.row ? cellName(first) : `${cellName(first)}:${cellName(last)}`;
      return {
        ...formula(`${range} = ${expression}`),
        identity: `${first.column} ${relative}`,
        metadata: { sheet, range },
      };
    });
    return this.#left === 0 ? found : [...found, annotation(`${this.#left} further formulas are not listed`)];
  }
}
