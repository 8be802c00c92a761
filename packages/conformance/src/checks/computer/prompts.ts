import { type Checks, expect } from '../../check.ts';
import { type ComputerStage, expectCode } from '../../stages/computer-stage.ts';
import { PROMPT } from '../../stages/fixture.ts';

/** MCP prompts. */
export const prompts: Checks<ComputerStage> = {
  'event.client.get-prompts': async stage => {
    const answer = await stage.askIfKnown('client:get_prompts');
    const listed = Array.isArray(answer.prompts) ? answer.prompts : [];
    const isListed = listed.some(({ name, mcp_server }) => name === PROMPT.name && mcp_server === 'fixture');
    expect(isListed, `the prompt ${PROMPT.name} of the MCP server fixture`, answer);
  },
  'get-prompts.page': async stage => {
    const first = await stage.askIfKnown('client:get_prompts', { mcp_server: 'stage' });
    const names = ({ prompts: listed }: Record<string, unknown>) => JSON.stringify(listed);
    expect(names(first).includes('first') && typeof first.next_cursor === 'string', 'the first of two pages', first);
    const second = await stage.askIfKnown('client:get_prompts', { mcp_server: 'stage', cursor: first.next_cursor });
    expect(names(second).includes('second') && second.next_cursor == null, 'the last page', second);
  },
  'get-prompts.all': async stage => {
    const { prompts: listed } = await stage.askIfKnown('client:get_prompts');
    const names = Array.isArray(listed) ? listed.map(({ name }) => name) : [];
    expect(names.join() === `${PROMPT.name},first,second`, 'the prompts of all MCP servers', listed);
    expectCode(await stage.askIfKnown('client:get_prompts', { cursor: '1' }), 400);
  },
  'get-prompts.errors': async stage => {
    expectCode(await stage.askIfKnown('client:get_prompts', { mcp_server: 'nobody' }), 4014);
    expectCode(await stage.askIfKnown('client:get_prompts', { mcp_server: 'paged' }), 4015);
  },
  'get-prompt.filled': async stage => {
    const wanted = { mcp_server: 'fixture', name: PROMPT.name, arguments: { topic: 'grüße' } };
    const { messages, description } = await stage.askIfKnown('client:get_prompt', wanted);
    const text = JSON.stringify(messages);
    const isFilled = text.includes('grüße') && description === `About ${PROMPT.name}`;
    expect(isFilled, 'the description and messages of the MCP server', { description, messages });
  },
  'get-prompt.errors': async stage => {
    expectCode(await stage.askIfKnown('client:get_prompt', { mcp_server: 'nobody', name: 'x' }), 4014);
    expectCode(await stage.askIfKnown('client:get_prompt', { mcp_server: 'paged', name: 'x' }), 4015);
    expectCode(await stage.askIfKnown('client:get_prompt', { mcp_server: 'fixture', name: 'nothing' }), 400);
  },
};
