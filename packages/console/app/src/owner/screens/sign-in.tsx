import type { SignInQuestion } from '@a2c-smcp/computer';
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { path, post, remove } from '../../api.ts';
import { Button } from '../../components/basics.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { strings } from '../../strings.ts';
import { attempt, toast } from '../../toasts.ts';
import { answer } from '../answer.ts';
import { servers } from '../state.ts';
import { QuestionCard } from './question-card.tsx';

/** The sign-in that this page has begun. Not part of a screen: the question that it came from is withdrawn meanwhile. */
const begun = signal<{ server: string; url: string } | undefined>(undefined);

/** Begins a sign-in, and shows the way to its page: that opens by a click and in no other way. */
export function beginSignIn(server: string): Promise<boolean> {
  return attempt(async () => {
    const { url } = await post<{ url: string }>(path('servers', server, 'sign-in'));
    begun.value = { server, url };
  });
}

/** An MCP server that wants its owner to sign in. */
export function SignInQuestionCard({ question }: { question: SignInQuestion }) {
  const t = strings.value.signIn;
  const { id, server, host, problem } = question;
  const isBusy = useSignal(false);
  const begin = async () => {
    isBusy.value = true;
    await beginSignIn(server);
    isBusy.value = false;
  };
  return (
    <QuestionCard question={question} title={t.title(server)}>
      <p>{t.problems[problem](host)}</p>
      <div class="row wrap">
        <Button disabled={isBusy.value} kind="primary" onClick={() => void begin()}>
          {t.begin}
        </Button>
        <Button kind="danger" onClick={() => void answer(id, { action: 'decline' })}>
          {strings.value.questions.decline}
        </Button>
      </div>
    </QuestionCard>
  );
}

/** The sign-in that this page has begun, on every screen, until it has ended. */
export function SignInDialog() {
  return begun.value && <PendingSignIn key={begun.value.url} {...begun.value} />;
}

function PendingSignIn({ server, url }: { server: string; url: string }) {
  const t = strings.value.signIn;
  const auth = servers.value.find(({ name }) => name === server)?.auth;
  const wasPending = useSignal(false);
  const address = useSignal('');
  useEffect(() => {
    if (auth === 'signing-in') wasPending.value = true;
    else if (auth === 'signed-in' || wasPending.value) {
      begun.value = undefined;
      toast(auth === 'signed-in' ? t.done(server) : t.failed(server), auth !== 'signed-in');
    }
  }, [auth]);
  const cancel = () => {
    begun.value = undefined;
    void attempt(() => remove(path('servers', server, 'sign-in')));
  };
  const paste = (event: Event) => {
    event.preventDefault();
    void attempt(() => post(path('servers', server, 'sign-in', 'paste'), { address: address.value }));
  };
  return (
    <Dialog onClose={cancel} title={t.title(server)}>
      <form class="dialog-body" onSubmit={paste}>
        <h2>{t.title(server)}</h2>
        <p class="secondary">{t.text}</p>
        <a class="button button-primary" href={url} rel="noreferrer noopener" target="_blank">
          <Icon name="external" size={16} />
          {t.open(new URL(url).host)}
        </a>
        <label class="field">
          <span class="field-label">{t.address}</span>
          <input
            class="input mono"
            onInput={event => (address.value = event.currentTarget.value)}
            placeholder="http://127.0.0.1:…/callback/…"
            spellcheck={false}
            value={address.value}
          />
          <span class="muted small">{t.addressText}</span>
        </label>
        <div class="dialog-actions">
          <Button onClick={cancel}>{strings.value.app.cancel}</Button>
          {address.value !== '' && (
            <Button kind="primary" type="submit">
              {t.finish}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
