/** Storage of small texts by name: localStorage, or a map in tests. */
export interface KeyValueStorage {
  get(name: string): string | undefined
  /** Returns false where the value was not stored, as in a full storage. */
  set(name: string, value: string): boolean
  remove(name: string): void
}

/**
 * Wraps the browser's storage so that it never throws: a value that cannot be stored is dropped, one that cannot be
 * read is undefined.
 */
export function browserStorage(storage: Storage): KeyValueStorage {
  return {
    get(name) {
      try {
        return storage.getItem(name) ?? undefined
      } catch {
        return undefined // Disabled storage reads as empty.
      }
    },
    set(name, value) {
      try {
        storage.setItem(name, value)
        return true
      } catch {
        return false // Full or disabled: the caller reports it where it matters.
      }
    },
    remove(name) {
      try {
        storage.removeItem(name)
      } catch {
        // Nothing is stored in disabled storage.
      }
    },
  }
}
