import { type Checks, expect, skip } from '../../check.ts';
import { type ComputerStage, expectCode } from '../../stages/computer-stage.ts';
import { SKILL } from '../../stages/fixture.ts';

/** Skills of a folder of the owner. */
export const skills: Checks<ComputerStage> = {
  'skills.list': {
    since: '0.2',
    run: async stage => {
      const skill = await find(stage);
      const isIt = skill.description === 'A skill of the kit' && !Object.values(skill).includes(null);
      expect(isIt, 'the description, and no field that is null', skill);
    },
  },
  'skills.file.entry': {
    since: '0.2',
    run: async stage => {
      await find(stage);
      const { body, total_size } = await stage.ask('client:get_skill', { name: SKILL.name });
      expect(body === SKILL.text, 'SKILL.md without its front matter', body);
      expect(total_size === Buffer.byteLength(SKILL.text), 'the size of what is served', total_size);
    },
  },
  'skills.name.malformed': {
    since: '0.2',
    run: async stage => {
      await find(stage);
      expectCode(await stage.ask('client:get_skill', { name: 'No Such Name!' }), 4016);
    },
  },
  'skills.name.unknown': {
    since: '0.2',
    run: async stage => {
      await find(stage);
      expectCode(await stage.ask('client:get_skill', { name: 'no-such-skill' }), 4014);
    },
  },
  'skills.file.not-found': {
    since: '0.2',
    run: async stage => {
      await find(stage);
      const answer = await stage.ask('client:get_skill', { name: SKILL.name, rel_path: 'nothing.md' });
      expect(expectCode(answer, 4017).reason === 'not_found', 'the reason "not_found"', answer);
    },
  },
  'skills.file.traversal': {
    since: '0.2',
    run: async stage => {
      await find(stage);
      const answer = await stage.ask('client:get_skill', { name: SKILL.name, rel_path: '../../../mcp.json' });
      expect(expectCode(answer, 4017).reason === 'traversal', 'the reason "traversal"', answer);
    },
  },
};

async function find(stage: ComputerStage): Promise<Record<string, unknown>> {
  const { skills } = (await stage.askIfKnown('client:get_skills')) as { skills?: Record<string, unknown>[] };
  const skill = skills?.find(({ name }) => name === SKILL.name);
  if (skill === undefined) skip('the Computer was not told of the folder of skills');
  return skill;
}
