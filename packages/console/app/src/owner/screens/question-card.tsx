import type { Question } from '@a2c-smcp/computer';
import type { ComponentChildren } from 'preact';
import { Badge } from '../../components/basics.tsx';
import { duration, time } from '../../format.ts';
import { strings } from '../../strings.ts';
import { useTick } from '../../use.ts';

/** The frame of a question: who asks, since when, and how long an answer counts. */
export function QuestionCard({
  question,
  title,
  children,
}: {
  question: Question;
  title: string;
  children: ComponentChildren;
}) {
  const t = strings.value.questions;
  const { askedAt, deadline } = question;
  useTick(1000, deadline !== undefined);
  const left = deadline === undefined ? undefined : Math.max(0, deadline - Date.now());
  return (
    <section aria-label={title} class="card question">
      <div class="card-head">
        <div>
          <h2>{title}</h2>
          <p class="muted small">
            {sender(question)} · {time(askedAt)}
          </p>
        </div>
        {left !== undefined && <Badge tone={left < 15_000 ? 'danger' : 'plain'}>{t.left(duration(left))}</Badge>}
      </div>
      <div class="card-body stack">{children}</div>
    </section>
  );
}

function sender(question: Question): string {
  const t = strings.value.questions;
  if (question.kind === 'input') return t.fromComputer;
  if (question.kind !== 'confirmation') return t.fromServer(question.server);
  const { agent, office, server } = question;
  const isCall = question.reqId !== undefined;
  if (agent === undefined) return isCall ? t.fromHere : t.fromServer(server);
  return office === undefined ? t.fromAgent(agent) : t.fromAgentIn(agent, office);
}
