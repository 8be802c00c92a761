import type { DPEDocumentSummary } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FinderView } from '../../../../src/owner/types.ts';
import { Badge, Button, Empty, Failure, Loading, Screen, Search } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { number, time } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { useFetch } from '../../use.ts';
import { isPicture, Picture } from '../picture.tsx';
import { Problems } from './problems.tsx';

const PAGE = 100;
const TYPING_MS = 200;

/** The documents that an Agent finds. */
export function Finder() {
  const t = strings.value.finder;
  const typed = useSignal('');
  const keywords = useSignal('');
  const type = useSignal('');
  const offset = useSignal(0);
  const types = useSignal<readonly string[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (keywords.value !== typed.value) offset.value = 0;
      keywords.value = typed.value;
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const query = new URLSearchParams({
    keywords: keywords.value,
    type: type.value,
    offset: String(offset.value),
    limit: String(PAGE),
  });
  const { value, error, refresh } = useFetch<FinderView>(`/finder?${query}`, ['finder']);
  // The types of all documents that were seen, so that a chosen one does not hide the others.
  useEffect(() => {
    const found = new Set([...types.peek(), ...(value?.documents.map(({ file_type }) => file_type) ?? [])]);
    types.value = [...found].filter(Boolean).toSorted();
  }, [value]);
  const columns: Column<DPEDocumentSummary>[] = [
    {
      key: 'title',
      title: t.title,
      cell: ({ title, uri, doc_ref, file_type }) => (
        <span class="row">
          {isPicture(file_type) && (
            <span class="thumbnail-box">
              <Picture alt="" isSmall uri={uri} />
            </span>
          )}
          <a class="truncate" href={href('finder', uri)}>
            {title || doc_ref}
          </a>
        </span>
      ),
    },
    { key: 'type', title: t.type, width: '90px', cell: ({ file_type }) => file_type && <Badge>{file_type}</Badge> },
    {
      key: 'pages',
      title: t.pages,
      width: '80px',
      align: 'right',
      cell: ({ page_count }) => <span class="number">{number(page_count)}</span>,
    },
    { key: 'server', title: t.server, width: '16%', show: 'wide', cell: ({ server }) => server },
    {
      key: 'changed',
      title: t.changed,
      width: '170px',
      show: 'wide',
      cell: ({ last_modified }) => last_modified && <span class="muted number">{time(last_modified)}</span>,
    },
  ];
  const { documents = [], totalCount = 0 } = value ?? {};
  return (
    <Screen fills lead={t.lead} title={strings.value.nav.finder}>
      <div class="toolbar">
        <Search label={t.search} onInput={text => (typed.value = text)} value={typed.value} />
        <select
          aria-label={t.type}
          class="select"
          onChange={event => (type.value = event.currentTarget.value)}
          value={type.value}
        >
          <option value="">{t.allTypes}</option>
          {types.value.map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {value && <span class="muted small number">{t.count(totalCount)}</span>}
      </div>
      {error && <Failure error={error} retry={refresh} />}
      {!value && !error && <Loading />}
      {value && documents.length === 0 && (
        <Empty icon="folder" title={keywords.value || type.value ? strings.value.app.nothingFound : t.none}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      {documents.length > 0 && (
        <div class="split">
          <Table
            columns={columns}
            keyOf={({ uri, server }) => `${server} ${uri}`}
            label={strings.value.nav.finder}
            routeOf={({ uri }) => ['finder', uri]}
            rows={documents}
          />
        </div>
      )}
      {totalCount > PAGE && (
        <div class="row">
          <Button disabled={offset.value === 0} icon="back" onClick={() => (offset.value -= PAGE)}>
            {t.previous}
          </Button>
          <span class="muted number">
            {t.range(offset.value + 1, Math.min(totalCount, offset.value + PAGE), totalCount)}
          </span>
          <Button disabled={offset.value + PAGE >= totalCount} icon="next" onClick={() => (offset.value += PAGE)}>
            {t.next}
          </Button>
        </div>
      )}
      {value && value.problems.length > 0 && (
        <div class="bounded">
          <Problems problems={value.problems} title={strings.value.desktop.leftOut} />
        </div>
      )}
    </Screen>
  );
}
