import type { AttentionItem } from '@a2c-smcp/computer';
import { Badge, Card, type Tone } from '../../components/basics.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { attention, questions } from '../state.ts';

const LOOKS: Record<AttentionItem['kind'], { icon: IconName; tone: Tone }> = {
  question: { icon: 'bell', tone: 'accent' },
  config: { icon: 'settings', tone: 'danger' },
  input: { icon: 'key', tone: 'warn' },
  server: { icon: 'server', tone: 'danger' },
  tool: { icon: 'pin', tone: 'warn' },
};

/** Everything that waits for the owner, each with the way to settle it. */
export function AttentionList() {
  const t = strings.value.attention;
  const items = attention.value;
  if (items.length === 0) {
    return (
      <div class="calm" role="status">
        <Icon name="check" />
        <strong>{t.none}</strong>
        <span class="muted">{t.noneText}</span>
      </div>
    );
  }
  return (
    <Card title={t.title}>
      <ul aria-live="polite" class="lines">
        {items.map(item => (
          <Item item={item} key={item.id} />
        ))}
      </ul>
    </Card>
  );
}

function Item({ item }: { item: AttentionItem }) {
  const t = strings.value.attention;
  const { kind, detail } = item;
  return (
    <li>
      <a class="line attention" href={href(...routeOf(item))}>
        <Badge tone={LOOKS[kind].tone}>
          <Icon name={LOOKS[kind].icon} size={14} />
          {t[kind]}
        </Badge>
        <span class="grow">
          <span class="attention-problem">{problemOf(item)}</span>
          {detail !== undefined && <span class="small attention-fix">{detail}</span>}
          <span class="muted small attention-fix">{fixOf(item)}</span>
        </span>
        <Icon name="next" size={16} />
      </a>
    </li>
  );
}

/** In the language of the console; a question has words of its own. */
function problemOf({ kind, server = '', subject = '' }: AttentionItem): string {
  const t = strings.value;
  if (kind === 'tool' && subject === 'window://') return t.attention.hosts(server);
  if (kind !== 'question') return t.attention.problems[kind](kind === 'server' ? server : subject, server);
  const question = questions.value.find(({ id }) => id === subject);
  if (question?.kind === 'confirmation') return t.confirmation.title(question.tool);
  if (question?.kind === 'input') return question.input.description || question.input.id;
  if (question?.kind === 'sign-in') return t.signIn.title(server);
  if (question?.kind === 'url') return t.questions.urlTitle(server);
  return t.questions.formTitle(server);
}

function fixOf({ kind, subject }: AttentionItem): string {
  const { signIn, attention: t } = strings.value;
  const isSignIn = questions.value.some(question => question.id === subject && question.kind === 'sign-in');
  return isSignIn ? signIn.fix : t.fixes[kind];
}

/** The screen on which a thing is settled. */
function routeOf({ kind, server = '', subject = '' }: AttentionItem): readonly string[] {
  switch (kind) {
    case 'question':
      return ['questions', subject];
    case 'config':
      return ['config'];
    case 'input':
      return ['inputs', subject];
    case 'server':
      return ['servers', server];
    case 'tool':
      return ['pins'];
  }
}
