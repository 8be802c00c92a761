import { session } from '../api.ts';

/** Messages between the tabs of one console. */
type TabMessage =
  | { type: 'frame'; topic: string; value: unknown }
  | { type: 'state'; isOpen: boolean }
  | { type: 'hello' };

export interface StreamListener {
  /** A topic has a new value. `snapshot` is everything at once. */
  onFrame: (topic: string, value: unknown) => void;
  /** True if the console answers. */
  onState: (isOpen: boolean) => void;
  /** The state for a tab that has just been opened. */
  snapshot: () => unknown;
}

/** How long the console may be away before the page says so, in milliseconds. */
const PATIENCE_MS = 1500;
const RETRY_MS = 1000;

/**
 * Follows the events of the console. A browser opens six connections to one address, so that of all tabs only one
 * holds the stream, and gives it to the others; when it is closed, another takes over.
 */
export function followStream(url: string, listener: StreamListener): void {
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) {
    openStream(url, listener);
    return;
  }
  const channel = new BroadcastChannel('a2c-console');
  const send = (message: TabMessage) => channel.postMessage(message);
  let leads = false;
  let isOpen = false;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'hello') {
      if (!leads || !isOpen) return;
      send({ type: 'frame', topic: 'snapshot', value: listener.snapshot() });
      send({ type: 'state', isOpen });
    } else if (leads) return;
    else if (data.type === 'frame') listener.onFrame(data.topic, data.value);
    else listener.onState(data.isOpen);
  };
  send({ type: 'hello' });
  void navigator.locks.request('a2c-console-stream', () => {
    leads = true;
    openStream(url, {
      ...listener,
      onFrame(topic, value) {
        listener.onFrame(topic, value);
        send({ type: 'frame', topic, value });
      },
      onState(state) {
        isOpen = state;
        listener.onState(state);
        send({ type: 'state', isOpen });
      },
    });
    // Held until this tab is closed.
    return new Promise<never>(() => {});
  });
}

function openStream(url: string, { onFrame, onState }: StreamListener): void {
  let away: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    if (session.peek() === 'none') return;
    const source = new EventSource(url);
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const { topic, value } = JSON.parse(data) as { topic: string; value: unknown };
      onFrame(topic, value);
    };
    source.onopen = () => {
      clearTimeout(away);
      away = undefined;
      onState(true);
    };
    source.onerror = () => {
      away ??= setTimeout(() => onState(false), PATIENCE_MS);
      // After an answer other than a stream the browser gives up: a console that was started anew knows no session.
      if (source.readyState !== EventSource.CLOSED) return;
      onState(false);
      setTimeout(connect, RETRY_MS);
    };
  };
  connect();
}
