import { type Checks, expect, type Run } from '../../check.ts';
import { type AgentStage, COMPUTER } from '../../stages/agent-stage.ts';
import type { Payload } from '../../stages/played-connection.ts';
import { waitFor } from '../../stages/wait.ts';

/** Checks how an Agent reacts to a notification. */
export const reactions: Checks<AgentStage> = {
  'react.enter': fetches('notify:enter_office', ({ start: { office } }) => ({ office_id: office, computer: COMPUTER })),
  'react.tools': fetches('notify:update_tool_list', () => ({ computer: COMPUTER })),
};

/** The Agent fetches the tools of the Computer that the notification names. */
function fetches(event: string, payload: (stage: AgentStage) => Payload): Run<AgentStage> {
  return async stage => {
    const { agent, member } = await stage.connect();
    await agent.tools(COMPUTER);
    const mark = member.mark;
    member.notify(event, payload(stage));
    const asked = await waitFor(() => member.payloads('client:get_tools', mark)[0]);
    expect(
      (asked as Payload | undefined)?.computer === COMPUTER,
      `client:get_tools after ${event}`,
      asked ?? 'nothing',
    );
  };
}
