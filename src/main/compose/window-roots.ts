import { foreignRoots, type LibraryRoot, readRoot } from '../library/roots'

/**
 * The roots of other systems that the window reads: those that were named; else none beside a home that was named or
 * the sample library; else where each system leaves its histories.
 *
 * @param options.roots as given with `--root`; what cannot be used is told in words and left out
 */
export function windowRoots(
  options: { readonly roots: readonly string[]; readonly isHomeGiven: boolean },
  sample: boolean,
  folder: string,
  note: (words: string) => void,
): readonly LibraryRoot[] {
  if (options.roots.length === 0) return options.isHomeGiven || sample ? [] : foreignRoots()
  return options.roots.flatMap((text) => {
    const root = readRoot(text, folder)
    if (typeof root !== 'string' && root.source !== 'chibi') return [root]
    note(typeof root === 'string' ? root : 'The window writes to its home: name it with --home.')
    return []
  })
}
