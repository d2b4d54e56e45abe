import { url } from './api.js';
import { answer, send } from './session.svelte.js';

/** Server-sent events, refused in words, where EventSource has none. `on(name, data)` until the signal ends it; rejects when the server does. */
export async function listen(path, params, on, signal) {
  const response = await send(url(path, params), { signal });
  if (!response.ok) await answer(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  while (true) {
    const { value, done } = await reader.read();
    if (done) throw new Error('the server ended the stream');
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      let name = 'message';
      let data = '';
      for (const line of block.split('\n')) {
        if (line.startsWith('event:')) name = line.slice(6).trim();
        else if (line.startsWith('data:')) data += line.slice(5).trimStart();
      }
      if (data) on(name, JSON.parse(data));
    }
  }
}
