import type { A2CSkillRef } from '@a2c-smcp/protocol';
import type { Style } from './style.ts';
import { table } from './table.ts';

/** Skills as a table. Their folders are left out: they are for programs. */
export function skillTable(skills: readonly A2CSkillRef[], style: Style): string[] {
  const rows = skills.map(({ name, source, description }) => [name, source, description]);
  return table(['NAME', 'SOURCE', 'DESCRIPTION'], rows, { style, keep: 0 });
}
