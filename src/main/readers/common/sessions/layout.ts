import path from 'node:path'
import type { Disk } from '../../../disk/interface/disk'
import { FirstFailure } from '../first-failure'
import { type FoundName, findRoot, foundIn, isFolder, statNames } from '../found-files'

/**
 * Names on the way from a system's own folder to a file of a session: of each folder, and of the file. A text is that very
 * name; a pattern is any name that it matches. Names that begin with a dot are found by themselves alone.
 */
export type Layout = readonly (string | RegExp)[]

/** A file that lies where a layout says. */
export interface LaidFile {
  /** Relative to the base of the listing, with slashes. */
  readonly file: string
  readonly found: FoundName
  /** The position of its layout in the list of them. */
  readonly layout: number
  /** Names on the path of this file, as the layout has them; empty for those that its path does not have. */
  readonly names: readonly string[]
}

/** Files below a root. */
export interface Laid {
  /** The folder that their places are relative to; absolute. */
  readonly base: string
  readonly files: AsyncIterable<LaidFile>
}

const noName = /(?!)/

/** Matches any name. */
export const anyName = /(?:)/

/**
 * Finds the files that lie as one of the layouts says. The root is the system's own folder, a folder on the way, or one
 * file of any name; each file is given once, for the first layout that it is found by. Undefined where nothing is there.
 *
 * @throws AppError `unreadable` the root cannot be listed. `files` throws it for a folder inside, after all other files
 */
export async function findLaid(
  layouts: readonly Layout[],
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<Laid | undefined> {
  const top = await findRoot(disk, root)
  if (top === undefined) return undefined
  if (top.type === 'file') return { base: top.folder, files: oneFile(layouts, root, top.found) }
  const hidden = layouts.flat().filter((name) => typeof name === 'string' && name.startsWith('.'))
  const named = [...new Set(hidden)].flatMap((name) => (typeof name === 'string' ? [name] : []))
  const inside = [
    ...(await foundIn(disk, root, '', signal)),
    ...(named.length === 0 ? [] : await statNames(disk, root, named, signal)),
  ]
  return { base: root, files: filesBelow(layouts, root, inside, disk, signal) }
}

async function* oneFile(
  layouts: readonly Layout[],
  root: string,
  found: FoundName,
): AsyncGenerator<LaidFile> {
  const likeness = layouts.map((layout) => likenessOf(layout, root))
  const layout = likeness.indexOf(Math.max(...likeness))
  const names = namesFor(layouts[layout] ?? [], root)
  yield { file: found.name, found, layout, names }
}

/** How many names of a path are as the layout says, from the file up; of the file's own name at least. */
function likenessOf(layout: Layout, file: string): number {
  const names = namesFor(layout, file)
  let alike = 0
  for (const [at, wanted] of [...layout.entries()].reverse()) {
    if (!isNamed(names[at] ?? '', wanted)) break
    alike += typeof wanted === 'string' ? 2 : 1
  }
  return alike
}

async function* filesBelow(
  layouts: readonly Layout[],
  root: string,
  inside: readonly FoundName[],
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<LaidFile> {
  const sure = layouts.map((layout) => surelyAt(layout, root, inside))
  const isSure = sure.some((level) => level !== undefined)
  const given = new Set<string>()
  const failure = new FirstFailure()
  for (const [at, layout] of layouts.entries()) {
    for (const level of isSure ? [sure[at] ?? []].flat() : levelsOfUnknown(layout))
      for await (const one of walk(layout, level, '', inside)) {
        if (given.has(one.file)) continue
        given.add(one.file)
        const names = namesFor(layout, path.join(root, one.file))
        yield { ...one, layout: at, names }
      }
  }
  failure.throw()

  async function* walk(
    layout: Layout,
    level: number,
    folder: string,
    listed: readonly FoundName[],
  ): AsyncGenerator<{ readonly file: string; readonly found: FoundName }> {
    const wanted = layout[level]
    const isLast = level === layout.length - 1
    for (const found of listed) {
      if (wanted === undefined || !isNamed(found.name, wanted)) continue
      const file = path.posix.join(folder, found.name)
      if (isLast) yield { file, found }
      else if (isFolder(found))
        yield* walk(layout, level + 1, file, await namesIn(file, layout[level + 1]))
      else failure.passedBy(found)
    }
  }

  /** One folder that cannot be listed hides no other. */
  async function namesIn(
    folder: string,
    wanted: string | RegExp | undefined,
  ): Promise<readonly FoundName[]> {
    const isHidden = typeof wanted === 'string' && wanted.startsWith('.')
    const listed = isHidden
      ? statNames(disk, path.join(root, folder), [wanted], signal)
      : foundIn(disk, root, folder, signal)
    return failure.or(listed, [])
  }
}

/** Which name of the layout those in the root are, where the names around tell. */
function surelyAt(layout: Layout, root: string, inside: readonly FoundName[]): number | undefined {
  const has = (wanted: string | RegExp | undefined) =>
    typeof wanted === 'string' && inside.some(({ name }) => name === wanted)
  const levels = [...layout.keys()]
  const above = root.split(path.sep).slice(-layout.length).reverse()
  /** The names above are those of the layout, up to one that is told by its very name, `distance` folders up. */
  const isBelow = (level: number, distance: number) =>
    typeof layout[level - distance] === 'string' &&
    above.length >= distance &&
    above.slice(0, distance).every((name, up) => isNamed(name, layout[level - 1 - up] ?? noName))
  const distances = levels.slice(1)
  return (
    (has(layout[0]) ? 0 : undefined) ??
    levels.find((level) => isBelow(level, 1)) ??
    levels.find((level) => level > 0 && level < layout.length - 1 && has(layout[level])) ??
    distances
      .map((distance) => levels.find((level) => isBelow(level, distance)))
      .find((level) => level !== undefined)
  )
}

/** A folder of another name, such as a copy: it may hold the files themselves, and folders that have names of their own. */
function levelsOfUnknown(layout: Layout): readonly number[] {
  return [...new Set([layout.length - 1, layout.findIndex((name) => typeof name !== 'string')])]
}

function isNamed(name: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? name === wanted : name !== '' && wanted.test(name)
}

/** The end of a path, aligned with a layout. */
function namesFor(layout: Layout, file: string): readonly string[] {
  const names = file.split(path.sep).slice(-layout.length)
  return [...Array<string>(layout.length - names.length).fill(''), ...names]
}
