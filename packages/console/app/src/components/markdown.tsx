import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';

/** Characters; longer texts would block the page. */
const MAX_LENGTH = 400_000;
const MAX_DEPTH = 30;
/** Pictures from elsewhere would tell their host that somebody reads this. */
const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,/i;

/**
 * Markdown as elements. It is read into tokens, and elements are made of them one by one: no text becomes markup, HTML in
 * it is shown as it is written, links say where they lead.
 */
export function Markdown({ text }: { text: string }) {
  const tokens = lexer(text.slice(0, MAX_LENGTH), { gfm: true });
  return (
    <div class="markdown">
      <Blocks depth={0} tokens={tokens} />
    </div>
  );
}

function Blocks({ tokens, depth }: { tokens: readonly Token[]; depth: number }) {
  if (depth > MAX_DEPTH) return null;
  return (
    <>
      {tokens.map((token, index) => (
        <Fragment key={index}>{block(token, depth)}</Fragment>
      ))}
    </>
  );
}

function block(token: Token, depth: number): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return heading(token as Tokens.Heading, depth);
    case 'paragraph':
      return <p>{inlines(token.tokens, depth)}</p>;
    case 'code':
      return <pre class="code">{token.text}</pre>;
    case 'blockquote':
      return (
        <blockquote>
          <Blocks depth={depth + 1} tokens={token.tokens ?? []} />
        </blockquote>
      );
    case 'list':
      return list(token as Tokens.List, depth);
    case 'table':
      return table(token as Tokens.Table, depth);
    case 'hr':
      return <hr />;
    case 'space':
      return null;
    case 'text':
      return token.tokens ? inlines(token.tokens, depth) : plain(token);
    default:
      return <p>{token.raw}</p>;
  }
}

/** The heading of the screen is the first level. */
function heading({ depth: level, tokens }: Tokens.Heading, depth: number): ComponentChildren {
  const content = inlines(tokens, depth);
  return level === 1 ? <h3 class="markdown-title">{content}</h3> : <h3>{content}</h3>;
}

function list({ ordered, start, items }: Tokens.List, depth: number): ComponentChildren {
  const entries = items.map((item, index) => (
    <li key={index}>
      {item.task && <input checked={item.checked === true} disabled type="checkbox" />}
      <Blocks depth={depth + 1} tokens={item.tokens} />
    </li>
  ));
  return ordered ? <ol start={typeof start === 'number' ? start : 1}>{entries}</ol> : <ul>{entries}</ul>;
}

function table({ header, rows }: Tokens.Table, depth: number): ComponentChildren {
  return (
    <div class="markdown-table">
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index}>{inlines(cell.tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, index) => (
                <td key={index}>{inlines(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlines(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  if (depth > MAX_DEPTH) return null;
  return tokens?.map((token, index) => <Fragment key={index}>{inline(token, depth + 1)}</Fragment>);
}

function inline(token: Token, depth: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens, depth)}</em>;
    case 'del':
      return <del>{inlines(token.tokens, depth)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <SafeLink text={inlines(token.tokens, depth)} url={String(token.href)} />;
    case 'image':
      return PICTURE.test(String(token.href)) ? (
        <img alt={token.text} src={token.href} />
      ) : (
        <SafeLink text={token.text} url={String(token.href)} />
      );
    case 'text':
      return token.tokens ? inlines(token.tokens, depth) : plain(token);
    case 'escape':
      return token.text;
    default:
      return token.raw;
  }
}

/** The lexer escapes nothing here; entities stay as they were typed. */
function plain({ raw }: Token): string {
  return raw;
}

/** A link of the web with its host beside it; anything else stays text. */
function SafeLink({ url, text }: { url: string; text: ComponentChildren }) {
  let host: string | undefined;
  try {
    const parsed = new URL(url);
    host = ['http:', 'https:'].includes(parsed.protocol) ? parsed.host : undefined;
  } catch {
    host = undefined;
  }
  if (host === undefined) {
    return (
      <span>
        {text} <span class="muted small mono">{url.slice(0, 200)}</span>
      </span>
    );
  }
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {text} <span class="muted small">{host}</span>
    </a>
  );
}
