import type { SignInQuestion } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { path, post } from '../../api.ts';
import { Button } from '../../components/basics.tsx';
import { strings } from '../../strings.ts';
import { attempt } from '../../toasts.ts';
import { answer } from '../answer.ts';
import { QuestionCard } from './question-card.tsx';

/** An MCP server that wants its owner to sign in. The page of the sign-in opens by a click and in no other way. */
export function SignInQuestionCard({ question }: { question: SignInQuestion }) {
  const t = strings.value.signIn;
  const { id, server, host, problem } = question;
  const url = useSignal<string | undefined>(undefined);
  const begin = () =>
    attempt(async () => {
      ({ url: url.value } = await post<{ url: string }>(path('servers', server, 'sign-in'), {}));
    });
  return (
    <QuestionCard question={question} title={t.title(server)}>
      <p>{t.problems[problem](host)}</p>
      <div class="row wrap">
        {url.value === undefined ? (
          <Button kind="primary" onClick={() => void begin()}>
            {t.begin}
          </Button>
        ) : (
          <a class="button button-primary" href={url.value} rel="noreferrer noopener" target="_blank">
            {t.open(new URL(url.value).host)}
          </a>
        )}
        <Button kind="danger" onClick={() => void answer(id, { action: 'decline' })}>
          {strings.value.questions.decline}
        </Button>
      </div>
    </QuestionCard>
  );
}
