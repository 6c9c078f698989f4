import type { RootOrigin, RootsFrom } from '../../../shared/model/settings/source-roots'
import { foreignRoots, type LibraryRoot, parseRootOption } from '../../library/sources/roots'
import { isSameRoot, type StoredSources } from '../../settings/stored/settings-file'
import { importsFolder } from '../../settings/user-folders'

/** A root of another system as the window knows it. */
export interface WindowRoot extends LibraryRoot {
  readonly origin: RootOrigin
  /** Whether it is read. */
  readonly isOn: boolean
}

interface Options {
  /** As given with `--root`. */
  readonly roots: readonly string[]
  readonly isHomeGiven: boolean
}

/**
 * Returns the origin of the app window's list of roots: `--root`, else a named home or the sample library (then
 * there are none), else Settings.
 */
export function rootsFrom(options: Options, sample: boolean): RootsFrom {
  if (options.roots.length > 0) return 'root-option'
  if (options.isHomeGiven) return 'home-option'
  return sample ? 'sample' : 'settings'
}

/** Parses the roots of `--root`; those that cannot be used are reported and left out. */
export function givenRoots(
  texts: readonly string[],
  folder: string,
  note: (words: string) => void,
): readonly LibraryRoot[] {
  return texts.flatMap((text) => {
    const root = parseRootOption(text, folder)
    if (typeof root !== 'string' && root.source !== 'chibi') return [root]
    note(typeof root === 'string' ? root : 'The window writes to its home: name it with --home.')
    return []
  })
}

/**
 * Lists the roots of other systems for the app window: those that were named, or each system's default and what a
 * person added. Default ones come first, each root once.
 */
export function windowRoots(
  from: RootsFrom,
  given: readonly LibraryRoot[],
  { off, added }: Pick<StoredSources, 'off' | 'added'>,
  environment: Readonly<Record<string, string | undefined>> = {},
  imports: string = importsFolder(environment),
): readonly WindowRoot[] {
  if (from === 'home-option' || from === 'sample') return []
  const wanted: readonly WindowRoot[] =
    from === 'root-option'
      ? given.map((root) => ({ ...root, origin: 'given', isOn: true }))
      : [
          ...foreignRoots(environment, imports).map((root) => ({
            ...root,
            origin: 'default' as const,
            isOn: !off.some((one) => isSameRoot(one, root)),
          })),
          // The window writes to its home: a chibi root is read by nobody here.
          ...added
            .filter(({ source }) => source !== 'chibi')
            .map((root) => ({ ...root, origin: 'added' as const, isOn: true })),
        ]
  return wanted.filter((root, at) => wanted.findIndex((one) => isSameRoot(one, root)) === at)
}
