// A model uses the tools of an office until it has an answer. Replace `askModel` by the client of your provider.
import assert from 'node:assert/strict';
import { Agent } from '@a2c-smcp/agent';
import { chatTools } from '@a2c-smcp/agent/openai';
import { openDemoOffice } from '../office.ts';
import { askModel, type Message } from './model.ts';

await using office = await openDemoOffice();
await using agent = await Agent.connect(office.url, { name: 'assistant', office: 'demo' });
await agent.waitFor({ tool: 'list_notes' }, { timeout: 30_000 });

const kit = chatTools(agent);
const messages: Message[] = [{ role: 'user', content: 'Remind me to water the plants, then read me my notes' }];

for (let turn = 0; turn < 10; turn++) {
  const answer = await askModel(messages, kit.tools);
  messages.push(answer);
  if (!answer.tool_calls) break;
  messages.push(...(await kit.run(answer.tool_calls)));
}

for (const message of messages) console.log(`${message.role}: ${JSON.stringify(message.content)}`);
assert.deepEqual(messages.at(-1), { role: 'assistant', content: 'Your notes say: Water the plants' });
