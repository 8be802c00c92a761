import type { ResourceContents } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { Badge, Card, Failure, Loading, Screen } from '../../components/basics.tsx';
import { Icon } from '../../components/icon.tsx';
import { LazyMarkdown } from '../../components/lazy.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { PlainText } from '../../components/text-view.tsx';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { useFetch } from '../../use.ts';
import { Picture } from '../picture.tsx';
import { type DocumentElement, ElementView } from './element.tsx';

interface DocumentBody {
  title?: string;
  file_type?: string;
  page_count?: number;
  summary?: string;
  keywords?: string[];
  pages?: { page_index: number; title?: string; element_count?: number }[];
}

interface PageBody {
  title?: string;
  elements?: DocumentElement[];
  content_markdown?: string;
  content_text?: string;
}

const MAX_PAGES = 100;
const MAX_PICTURES = 12;

/** A document, page by page, as an Agent reads it. */
export function Document({ uri, page }: { uri: string; page: number }) {
  const t = strings.value.finder;
  const document = useDocument<DocumentBody>(`${uri}?depth=pages&limit=${MAX_PAGES}`);
  const { title, file_type, page_count = 0, summary, keywords = [], pages = [] } = document.value ?? {};
  const list =
    pages.length > 0
      ? pages
      : Array.from({ length: Math.min(page_count, MAX_PAGES) }, (_, page_index) => ({ page_index, title: '' }));
  return (
    <Screen
      lead={
        <span class="row wrap">
          <a href={href('finder')}>{strings.value.nav.finder}</a>
          {file_type && <Badge>{file_type}</Badge>}
          {keywords.slice(0, 8).map(keyword => (
            <Badge key={keyword}>{keyword}</Badge>
          ))}
          <span class="mono small">{uri}</span>
        </span>
      }
      title={title ?? t.document}
    >
      {summary && <p class="secondary">{summary}</p>}
      {document.error && <Failure error={document.error} retry={document.refresh} />}
      {!document.value && !document.error && <Loading />}
      {document.value && (
        <div class="document">
          <nav aria-label={t.pages} class="document-pages">
            <ol class="lines card">
              {list.map(entry => (
                <li key={entry.page_index}>
                  <a
                    aria-current={entry.page_index === page ? 'page' : undefined}
                    class="line"
                    href={href('finder', uri, String(entry.page_index))}
                  >
                    <span class="muted number">{entry.page_index + 1}</span>
                    <span class="grow truncate">{entry.title || t.page(entry.page_index + 1)}</span>
                  </a>
                </li>
              ))}
            </ol>
            {page_count > MAX_PAGES && <p class="muted small">{t.firstPages(MAX_PAGES, page_count)}</p>}
          </nav>
          <Page key={`${uri} ${page}`} page={page} uri={uri} />
        </div>
      )}
    </Screen>
  );
}

function Page({ uri, page }: { uri: string; page: number }) {
  const t = strings.value.finder;
  const { value, error, refresh } = useDocument<PageBody>(`${uri}/pages/${page}?format=markdown`);
  const tab = useSignal('page');
  if (error) return <Failure error={error} retry={refresh} />;
  if (!value) return <Loading />;
  const { title, elements = [], content_markdown, content_text } = value;
  return (
    <Card
      title={
        <span class="row">
          <Icon name="file" size={16} />
          {title || t.page(page + 1)}
        </span>
      }
    >
      <div class="card-body">
        <Tabs
          label={t.page(page + 1)}
          onSelect={id => (tab.value = id)}
          selected={tab.value}
          tabs={[
            { id: 'page', title: t.rendered },
            { id: 'elements', title: t.elements(elements.length) },
          ]}
        >
          {tab.value === 'elements' ? (
            <div class="stack stack-wide">
              {elements.map(element => (
                <ElementView
                  element={element}
                  key={element.element_id}
                  uri={`${uri}/elements/${encodeURIComponent(element.element_id)}`}
                />
              ))}
            </div>
          ) : (
            <>
              <Pictures elements={elements} uri={uri} />
              {content_markdown === undefined ? (
                <PlainText text={content_text ?? ''} />
              ) : (
                <LazyMarkdown text={content_markdown} />
              )}
            </>
          )}
        </Tabs>
      </div>
    </Card>
  );
}

/** The first pictures of a page. */
function Pictures({ elements, uri }: { elements: readonly DocumentElement[]; uri: string }) {
  const pictures = elements.filter(({ category }) => category === 'image').slice(0, MAX_PICTURES);
  if (pictures.length === 0) return null;
  return (
    <div class="document-pictures">
      {pictures.map(({ element_id, summary }) => (
        <Picture
          alt={summary || strings.value.result.picture}
          key={element_id}
          uri={`${uri}/elements/${encodeURIComponent(element_id)}`}
        />
      ))}
    </div>
  );
}

/** The JSON of a document; a body that is the rendering itself counts as Markdown. */
function useDocument<T extends object>(uri: string) {
  const { value, error, refresh } = useFetch<ResourceContents[]>(`/document?uri=${encodeURIComponent(uri)}`, [
    'finder',
  ]);
  const text = value?.find(content => typeof content.text === 'string')?.text;
  return { value: typeof text === 'string' ? (parsed(text) as T) : undefined, error, refresh };
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : { content_markdown: text };
  } catch {
    return { content_markdown: text };
  }
}
