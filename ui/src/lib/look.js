import { get } from './api.js';
import { isRecording, recording } from './place.svelte.js';

/** Sees, before anything is shown, whether this is a recording. */
export async function look() {
  const status = await get('status');
  recording.served = status.serves;
  if (status.recording) isRecording(status.recording);
}
