import { useSignal } from '@preact/signals';
import { post } from '../../api.ts';
import { Button } from '../../components/basics.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { go } from '../../router.ts';
import { strings } from '../../strings.ts';
import { messageOf } from '../../use.ts';

/** Adds an MCP server by a command or an address. Everything else can be written in the configuration. */
export function AddServer({ onClose }: { onClose: () => void }) {
  const t = strings.value.servers;
  const name = useSignal('');
  const target = useSignal('');
  const env = useSignal('');
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    problem.value = '';
    try {
      await post('/servers', configOf(name.value.trim(), target.value.trim(), env.value));
      onClose();
      go('servers', name.value.trim());
    } catch (error) {
      problem.value = messageOf(error, strings.value.app.offline);
    }
    isBusy.value = false;
  };
  return (
    <Dialog onClose={onClose} title={t.addTitle}>
      <form class="dialog-body" onSubmit={event => void submit(event)}>
        <h2>{t.addTitle}</h2>
        <label class="field">
          <span class="field-label">{t.name}</span>
          <input
            class="input"
            onInput={event => (name.value = event.currentTarget.value)}
            required
            value={name.value}
          />
        </label>
        <label class="field">
          <span class="field-label">{t.target}</span>
          <input
            class="input mono"
            onInput={event => (target.value = event.currentTarget.value)}
            placeholder="npx -y @modelcontextprotocol/server-filesystem ."
            required
            spellcheck={false}
            value={target.value}
          />
          <span class="muted small">{t.targetText}</span>
        </label>
        <label class="field">
          <span class="field-label">{t.environment}</span>
          <textarea
            class="textarea textarea-short"
            onInput={event => (env.value = event.currentTarget.value)}
            placeholder="NAME=value"
            spellcheck={false}
            value={env.value}
          />
          <span class="muted small">{t.environmentText}</span>
        </label>
        {problem.value !== '' && (
          <p class="field-error" role="alert">
            {problem.value}
          </p>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{strings.value.app.cancel}</Button>
          <Button disabled={isBusy.value} kind="primary" type="submit">
            {isBusy.value ? t.adding : t.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The configuration of a server by what a person typed: an address, or a command line with its quotes. */
export function configOf(name: string, target: string, env: string): Record<string, unknown> {
  const lines = env.split('\n').filter(line => line.includes('='));
  const pairs = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1)]),
  );
  if (/^https?:\/\//.test(target)) {
    const headers = lines.length > 0 ? { headers: pairs } : {};
    return { name, type: 'streamable', server_parameters: { url: target, ...headers } };
  }
  const [command = '', ...args] = wordsOf(target);
  return { name, type: 'stdio', server_parameters: { command, args, ...(lines.length > 0 ? { env: pairs } : {}) } };
}

function wordsOf(line: string): string[] {
  const words = line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}
