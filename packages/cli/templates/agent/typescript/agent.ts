// An Agent that looks at all Computers of an office.
import { Agent } from '@a2c-smcp/agent';

const { A2C_URL = 'http://127.0.0.1:7000', A2C_OFFICE = 'demo' } = process.env;
const agent = await Agent.connect(A2C_URL, { name: 'NAME', office: A2C_OFFICE });

for (const { name = '', role } of await agent.members()) {
  if (role !== 'computer') continue;
  const tools = await agent.getTools(name);
  console.log(`${name} offers ${tools.map(tool => tool.name).join(', ')}`);
  for (const window of await agent.getDesktop(name)) console.log(window);
  const { documents } = await agent.getFinder(name);
  for (const { title, uri } of documents) console.log(`${title}: ${uri}`);
}

// const result = await agent.callTool({ computer: 'demo', tool: 'time', params: {} }); console.log(result.content);
await agent.close();
