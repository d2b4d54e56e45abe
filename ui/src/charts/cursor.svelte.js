/** Where the pointer is in time: all charts show it. */
export const cursor = $state({ at: null });
