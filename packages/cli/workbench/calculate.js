/** The value of an arithmetic expression: `+ - * / % ^`, parentheses, and the functions and constants of `Math`. */
export function calculate(expression) {
  const tokens = expression.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?|[a-z]\w*|\S/gi) ?? [];
  let position = 0;

  const next = () => tokens[position++];
  const take = token => tokens[position] === token && position++ >= 0;
  const expect = token => {
    if (!take(token)) throw new Error(`expected '${token}' but found ${found()}`);
  };
  const found = () => (position < tokens.length ? `'${tokens[position]}'` : 'the end');

  const sum = () => {
    let value = product();
    for (;;) {
      if (take('+')) value += product();
      else if (take('-')) value -= product();
      else return value;
    }
  };
  const product = () => {
    let value = sign();
    for (;;) {
      if (take('*')) value *= sign();
      else if (take('/')) value /= sign();
      else if (take('%')) value %= sign();
      else return value;
    }
  };
  const sign = () => (take('-') ? -sign() : power());
  const power = () => {
    const base = operand();
    return take('^') ? base ** sign() : base;
  };
  const operand = () => {
    if (take('(')) {
      const value = sum();
      expect(')');
      return value;
    }
    const problem = `expected a number but found ${found()}`;
    const token = next() ?? '';
    if (/^\d/.test(token)) return Number(token);
    const known = [token, token.toUpperCase()].map(name => Object.hasOwn(Math, name) && Math[name]).find(Boolean);
    if (typeof known === 'number') return known;
    if (typeof known !== 'function') throw new Error(problem);
    expect('(');
    const values = [sum()];
    while (take(',')) values.push(sum());
    expect(')');
    return known(...values);
  };

  const value = sum();
  if (position < tokens.length) throw new Error(`unexpected ${found()}`);
  return value;
}
