/** Blocks this thread for some milliseconds. For threads that have nothing else to do. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
