import { get } from './api.js';
import { isRecording, recording } from './place.svelte.js';

/** Who answers, as its status tells; it may have been started again as something else. */
export function seen(status) {
  recording.served = status.serves;
  recording.unanalysed = status.analysis?.enabled === false ? (status.kafka?.datagrams ? status.kafka.bootstrap : '') : undefined;
  return status;
}

/** Sees, before anything is shown, whether this is a recording. */
export async function look() {
  const status = seen(await get('status'));
  if (status.recording) isRecording(status.recording);
}
