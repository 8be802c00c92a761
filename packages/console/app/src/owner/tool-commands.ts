import { signal } from '@preact/signals';
import type { ToolRow } from '../../../src/owner/types.ts';
import { get } from '../api.ts';
import type { Command } from '../components/palette.tsx';
import { go } from '../router.ts';
import { versions } from '../stream/store.ts';

const tools = signal<{ version: number; rows: readonly ToolRow[] }>({ version: -1, rows: [] });

/** The tools by name, for the palette. They are fetched when it is first opened, and again after a change. */
export function toolCommands(): readonly Command[] {
  const version = versions.value.tools ?? 0;
  if (tools.peek().version !== version) {
    tools.value = { ...tools.peek(), version };
    get<ToolRow[]>('/tools')
      .then(rows => {
        tools.value = { version, rows };
      })
      .catch(() => undefined);
  }
  return tools.value.rows.map(({ name, server }) => ({
    id: `tool:${name}`,
    title: name,
    hint: server,
    icon: 'tool',
    run: () => go('tools', name),
  }));
}
