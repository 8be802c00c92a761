import type { CommandGroup } from '../../command.ts';
import { summaries } from '../summaries.ts';
import { call } from './call.ts';
import { config } from './config.ts';
import { desktop } from './desktop.ts';
import { finder } from './finder.ts';
import { members } from './members.ts';
import { prompts } from './prompts.ts';
import { put } from './put.ts';
import { read } from './read.ts';
import { resources } from './resources.ts';
import { skill } from './skill.ts';
import { skills } from './skills.ts';
import { tool } from './tool.ts';
import { tools } from './tools.ts';
import { watch } from './watch.ts';

/** `a2c agent` */
export const agent: CommandGroup = {
  summary: summaries.agent,
  commands: {
    members,
    tools,
    tool,
    call,
    desktop,
    finder,
    resources,
    read,
    prompts,
    put,
    skills,
    skill,
    config,
    watch,
  },
};
