import type { KeyValueStorage } from '../../../../src/renderer/state/base/storage'

/** Kept values in a map; one that is full refuses all. */
export function keptInMap(
  options: { readonly isFull?: boolean } = {},
): KeyValueStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>()
  return {
    values,
    get: (name) => values.get(name),
    set(name, value) {
      if (options.isFull) return false
      values.set(name, value)
      return true
    },
    remove: (name) => void values.delete(name),
  }
}
