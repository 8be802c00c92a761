// An Agent writes a note on a remote Computer and reads it back.
import assert from 'node:assert/strict';
import { Agent, textOf } from '@a2c-smcp/agent';
import { openDemoOffice } from '../office.ts';

await using office = await openDemoOffice();
await using agent = await Agent.connect(office.url, { name: 'assistant', office: 'demo' });

await agent.waitFor({ computer: 'desk', tool: 'add_note' }, { timeout: 30_000 });
for (const [computer, { tools }] of agent.computers) {
  console.log(`${computer} offers ${tools.map(tool => tool.name).join(', ')}`);
}

await agent.callTool({ computer: 'desk', tool: 'add_note', params: { text: 'Buy milk' } });
const notes = await agent.callTool({ computer: 'desk', tool: 'list_notes' });
console.log('notes:', textOf(notes));
assert.equal(textOf(notes), 'Buy milk');
