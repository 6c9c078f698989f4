import type { SourceRootView } from '../../../shared/model/settings/source-roots'

/**
 * Returns the roots that Settings list: of the usual places of one system those that are there, or the first one where none is. The
 * others are looked for all the same.
 */
export function shownRoots(roots: readonly SourceRootView[]): readonly SourceRootView[] {
  return roots.filter((root) => {
    if (isThere(root)) return true
    const usual = roots.filter((one) => one.source === root.source && one.origin === 'default')
    return usual[0] === root && !usual.some(isThere)
  })
}

function isThere({ origin, state }: SourceRootView): boolean {
  return origin !== 'default' || state.type !== 'missing'
}
