import type { Question } from '@a2c-smcp/computer';
import { Button, Empty, Loading, Screen } from '../../components/basics.tsx';
import { strings } from '../../strings.ts';
import { askForNotifications, canAskForNotifications } from '../notifications.ts';
import { isLoaded, questions } from '../state.ts';
import { Confirmation } from './confirmation.tsx';
import { FormQuestionCard, InputQuestionCard, UrlQuestionCard } from './question-cards.tsx';
import { SignInQuestionCard } from './sign-in.tsx';

/** The open questions, oldest first. The terminal shows the same ones; the first answer counts. */
export function Questions({ selected }: { selected: string | undefined }) {
  const t = strings.value.questions;
  const open = questions.value;
  return (
    <Screen
      actions={
        canAskForNotifications.value && (
          <Button icon="bell" onClick={askForNotifications}>
            {t.notify}
          </Button>
        )
      }
      lead={t.lead}
      title={strings.value.nav.questions}
    >
      <div aria-live="assertive" class="visually-hidden">
        {open.length > 0 ? t.waiting(open.length) : ''}
      </div>
      {!isLoaded.value && <Loading />}
      {isLoaded.value && open.length === 0 && (
        <Empty icon="check" title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      <div class="stack question-list">
        {open.map(question => (
          <Card isSelected={question.id === selected} key={question.id} question={question} />
        ))}
      </div>
    </Screen>
  );
}

function Card({ question, isSelected }: { question: Question; isSelected: boolean }) {
  switch (question.kind) {
    case 'confirmation':
      return <Confirmation isSelected={isSelected} question={question} />;
    case 'form':
      return <FormQuestionCard question={question} />;
    case 'url':
      return <UrlQuestionCard question={question} />;
    case 'input':
      return <InputQuestionCard question={question} />;
    case 'sign-in':
      return <SignInQuestionCard question={question} />;
  }
}
