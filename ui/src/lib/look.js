import { get } from './api.js';
import { isRecording } from './place.svelte.js';

/** Sees, before anything is shown, whether this is a recording. */
export async function look() {
  const status = await get('status');
  if (status.recording) isRecording(status.recording);
}
