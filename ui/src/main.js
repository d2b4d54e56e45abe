import './lib/token.js';
import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { look } from './lib/look.js';
import { begin, session } from './lib/session.svelte.js';
import { whenTaken } from './lib/token.js';

/** Whoever asks for data is told what is wrong. */
async function arrive() {
  try {
    await begin();
    if (session.locked === null) await look();
  } catch {
    // see above
  }
}
await arrive();
whenTaken(arrive);
mount(App, { target: document.getElementById('app') });
