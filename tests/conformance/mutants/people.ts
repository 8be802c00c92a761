import { inFile } from './mutant.ts';

const computer = 'packages/computer/src';

/** Consent, progress and questions. */
export const peopleMutants = [
  ...inFile(`${computer}/tools/calls.ts`, [
    [
      'confirm.edited',
      'the Agent is not told',
      'if (verdict.params) result = withEdited(',
      'if (false) result = withEdited(',
    ],
    [
      'progress.message',
      'it is not masked',
      'clip(redact(message), MAX_PROGRESS_LENGTH)',
      'clip(message, MAX_PROGRESS_LENGTH)',
    ],
    ['progress.message', 'it may be long', 'clip(redact(message), MAX_PROGRESS_LENGTH)', 'redact(message)'],
    [
      'exec.schema-mismatch',
      'structured content fails',
      '            route.meta,\n          );\n',
      "            route.meta,\n          );\n          if (result.structuredContent) throw new Error('It does not match');\n",
    ],
  ]),
  ...inFile(`${computer}/consent/consent.ts`, [
    [
      'confirm.auto-apply',
      'anything but false runs',
      "if (!decision && tool.meta?.auto_apply === true) return 'auto_apply';",
      "if (!decision && tool.meta?.auto_apply !== false) return 'auto_apply';",
    ],
  ]),
  ...inFile(`${computer}/tools/catalog.ts`, [
    ['tools.meta.changed', 'nobody is told', 'if (isChanged(route))', 'if (!isChanged)'],
  ]),
  ...inFile(`${computer}/office/progress-reports.ts`, [
    ['progress.bounded', 'every report is sent', 'pause: PAUSE_MS }', 'pause: 0 }'],
  ]),
  ...inFile(`${computer}/office/handlers.ts`, [
    ['progress.wanted', 'every call reports', 'wantsProgress === true ?', 'wantsProgress !== false ?'],
    [
      'question.wanted',
      'every call asks its Agent',
      'const unattend = elicit && runtime',
      'const unattend = elicit !== false && runtime',
    ],
  ]),
  ...inFile(`${computer}/office/question-handlers.ts`, [
    ['question.message', 'secrets are shown', 'message: redact(message),', 'message,'],
    [
      'question.answer',
      'any question is answered',
      'if (!agentFace.isAsked(agent, question_id)) return',
      'if (!agentFace) return',
    ],
  ]),
  ...inFile(`${computer}/questions/agent-face.ts`, [
    [
      'question.harmless',
      'passwords are asked for',
      '!fields.some(({ looksSecret }) => looksSecret)',
      'fields.length >= 0',
    ],
  ]),
  ...inFile('packages/agent/src/questions.ts', [
    ['question.end', 'it goes on after its call', '      call.ended.abort();\n', ''],
  ]),
  ...inFile('packages/agent/src/requests.ts', [
    ['progress.foreign', 'of any Computer', 'if (!call || call.computer !== computer) return;', 'if (!call) return;'],
  ]),
];
