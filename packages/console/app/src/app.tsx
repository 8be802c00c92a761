import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, openSession, session } from './api.ts';
import { Empty, Failure, Loading } from './components/basics.tsx';
import { Shell } from './shell.tsx';
import { startStream } from './stream/store.ts';
import { language, strings } from './strings.ts';
import type { Surface } from './surface.ts';

/** Loaded when the console is for it. */
const surfaces = {
  owner: () => import('./owner/surface.tsx').then(({ ownerSurface }) => ownerSurface),
  operator: () => import('./operator/surface.tsx').then(({ operatorSurface }) => operatorSurface),
} satisfies Record<string, () => Promise<Surface>>;

const surface = signal<Surface | undefined>(undefined);

/** Opens the session, asks what this console is for, and loads the part of the app for that. */
async function start(): Promise<void> {
  await openSession();
  const about = await get<{ surface: keyof typeof surfaces }>('/about');
  session.value = 'open';
  const loaded = await surfaces[about.surface]();
  startStream(loaded.topics);
  loaded.start?.();
  surface.value = loaded;
}

export function App() {
  const failure = useSignal<Error | undefined>(undefined);
  const begin = () => {
    failure.value = undefined;
    start().catch(error => {
      failure.value = error;
    });
  };
  useEffect(begin, []);
  useEffect(() => {
    document.documentElement.lang = language.value;
  }, [language.value]);
  if (session.value === 'none') return <SignedOut />;
  if (surface.value) return <Shell surface={surface.value} />;
  return <main>{failure.value ? <Failure error={failure.value} retry={begin} /> : <Loading />}</main>;
}

/** This browser has no session: the page can show nothing, and says how to get one. */
function SignedOut() {
  const t = strings.value.signedOut;
  // The pages of a Server are below a path of its own.
  const isServer = location.pathname !== '/';
  return (
    <main>
      <Empty icon="key" title={t.title}>
        <p>{isServer ? t.serverText : t.text}</p>
        <p class="mono">{isServer ? t.serverCommand : t.command}</p>
      </Empty>
    </main>
  );
}
