/** Where the window keeps small things of its own: localStorage, or a map in tests. */
export interface KeyValueStorage {
  get(name: string): string | undefined
  /** Tells whether it was kept: a full storage refuses. */
  set(name: string, value: string): boolean
  remove(name: string): void
}

/** Keeps values in the browser's storage; where that is refused, nothing is kept and nothing fails. */
export function browserStorage(storage: Storage): KeyValueStorage {
  return {
    get(name) {
      try {
        return storage.getItem(name) ?? undefined
      } catch {
        return undefined // Storage that is switched off reads as empty.
      }
    },
    set(name, value) {
      try {
        storage.setItem(name, value)
        return true
      } catch {
        return false // Full, or switched off: the caller says so where it matters.
      }
    },
    remove(name) {
      try {
        storage.removeItem(name)
      } catch {
        // Nothing was kept there, then.
      }
    },
  }
}
