// An Agent sees the Desktop of a Computer change as its tools are used.
import assert from 'node:assert/strict';
import { Agent } from '@a2c-smcp/agent';
import { nodeServer, openDemoOffice } from '../office.ts';

await using office = await openDemoOffice({ counter: nodeServer('./counter-server.js') });
await using agent = await Agent.connect(office.url, { name: 'assistant', office: 'demo' });
await agent.waitFor({ computer: 'desk', tool: 'add' }, { timeout: 30_000 });
console.log(await agent.getDesktop('desk'));

const changed = new Promise<string[]>(resolve => {
  agent.on('desktop', ({ desktop }) => desktop.some(window => window.endsWith('42')) && resolve(desktop));
});
await agent.callTool({ computer: 'desk', tool: 'add', params: { number: 42 } });
const desktop = await changed;
console.log(desktop);
assert.deepEqual(desktop, ['window://com.example.counter/total\n\nThe total is 42']);
