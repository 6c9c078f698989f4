/**
 * Features that only the newer runtime has, each checked before it is used. The types here are our own, so that the
 * code compiles against the older runtime's as well.
 */

/** Returns the name of the keyring that Electron uses on Linux; undefined where the runtime is too old to say. */
export function keyringBackend(storage: object): string | undefined {
  if (!('getSelectedStorageBackend' in storage)) return undefined
  const ask = storage.getSelectedStorageBackend
  const answer: unknown = typeof ask === 'function' ? ask.call(storage) : undefined
  return typeof answer === 'string' ? answer : undefined
}
