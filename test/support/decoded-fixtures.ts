import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { appDisk } from '../../src/main/disk/app-disk'
import { readSmallFile } from '../../src/main/disk/reading/read'
import { outlineUnit } from '../../src/main/library/families/outline-unit'
import { openLibrary } from '../../src/main/library/library'
import { type ConversationUnit, listUnits } from '../../src/main/library/scan/conversation-units'
import { openHistories } from '../../src/main/library/sources/histories'
import type { LibraryRoot } from '../../src/main/library/sources/roots'
import { searchDecoders } from '../../src/main/library/sources/search-decoders'
import { historyDisk } from '../../src/main/readers/history-disk'
import { readers } from '../../src/main/readers/index'
import { openStore } from '../../src/main/store/open-store'
import { allowGaps } from '../../src/shared/model/conversation/reading'
import { blockingKeys } from '../../src/shared/model/family/blocking-keys'
import { decoderNamed, type SearchFile } from '../../src/shared/model/search'

const fixtures = path.join(__dirname, '../fixtures')
const { signal } = new AbortController()
const disk = historyDisk(appDisk)

/** A folder of fixtures that is read as a root of its own. */
export interface FixtureRoot {
  /** Its path below the fixtures. */
  readonly name: string
  readonly source: LibraryRoot['source']
  /** It is one context, and no home. */
  readonly isContext?: true
}

/** Every folder of fixtures that some reader reads. */
export function fixtureRoots(): readonly FixtureRoot[] {
  const inFolder = (name: string) =>
    fs
      .readdirSync(path.join(fixtures, name), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${name}/${entry.name}`)
      .sort()
  const foreign = readers.flatMap(({ id }) =>
    inFolder(`readers/${id}`)
      .flatMap((name) => (name.endsWith('/tricky') ? inFolder(name) : [name]))
      .map((name) => ({ name, source: id })),
  )
  return [
    ...inFolder('chibi')
      .filter((name) => path.basename(name).startsWith('home-'))
      .map((name) => ({ name, source: 'chibi' as const })),
    ...[...inFolder('chibi/tricky'), ...inFolder('decoding')].map((name) => ({
      name,
      source: 'chibi' as const,
      isContext: true as const,
    })),
    ...inFolder('cases').map((name) => ({ name: `${name}/home`, source: 'chibi' as const })),
    ...inFolder('branches').map((name) => ({ name, source: 'cycod' as const })),
    ...foreign,
  ]
}

/** The lines of every file of a root that is searched, each with the name of its decoder. */
export async function fixtureLines({ name, source, isContext }: FixtureRoot) {
  const root = path.join(fixtures, name)
  const isHome = source === 'chibi'
  if (isContext) {
    const files = filesIn(root).filter((file) => file.endsWith('.jsonl'))
    return files.flatMap((file) => linesOf(fs.readFileSync(path.join(root, file)), 'chibi'))
  }
  const histories = openHistories(disk, isHome ? [] : [{ source, path: root }])
  const library = openLibrary({
    disk,
    store: isHome ? openStore({ home: root, disk }) : undefined,
    shownHome: '~/.chibi',
    histories,
    isRunning: () => false,
    changed: () => undefined,
    watched: false,
  })
  try {
    const found = []
    for (const { files } of await library.searchables())
      for (const { path: at, decoder } of files)
        if (decoderNamed(searchDecoders, decoder)?.decoder.unit === 'line')
          found.push(...linesOf(await readSmallFile(disk, at, Number.MAX_SAFE_INTEGER), decoder))
    return found
  } finally {
    await library.close()
  }
}

function linesOf(bytes: Uint8Array | undefined, decoder: string) {
  const text = Buffer.from(bytes ?? []).toString('utf8')
  return text.split('\n').map((line) => ({ line, decoder }))
}

/** The bytes of a root and what decoders make of them, each as a digest. */
export interface DecodedRoot {
  readonly input: string
  readonly result: string
}

/** @param folder an empty one, for a copy with times that are always the same */
export async function decodeRoot(root: FixtureRoot, folder: string): Promise<DecodedRoot> {
  const original = path.join(fixtures, root.name)
  const copy = path.join(folder, 'root')
  const files = filesIn(original)
  for (const name of files) {
    const target = path.join(root.isContext ? path.join(copy, 'contexts/fixture') : copy, name)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.copyFileSync(path.join(original, name), target)
    fs.utimesSync(target, 1_780_000_000, 1_780_000_000)
  }
  const bytes = files.map((name) => [name, fs.readFileSync(path.join(original, name), 'base64')])
  const decoded = JSON.stringify(await everythingDecoded(root, copy, path.join(folder, 'none')))
  return { input: digest(JSON.stringify(bytes)), result: digest(decoded.replaceAll(folder, '')) }
}

/** What any cache is made of: facts, rows with their counts, what is new, searchable texts, outlines; but no sentences for people. */
async function everythingDecoded({ source }: FixtureRoot, root: string, nowhere: string) {
  const isHome = source === 'chibi'
  const home = isHome ? root : nowhere
  const histories = openHistories(disk, isHome ? [] : [{ source, path: root }])
  const library = openLibrary({
    disk,
    store: isHome ? openStore({ home, disk }) : undefined,
    shownHome: '~/.chibi',
    histories,
    isRunning: () => false,
    changed: () => undefined,
    watched: false,
  })
  try {
    const rows = (await library.all(true)).map(({ unreadable, ...row }) => [
      row,
      unreadable !== undefined,
    ])
    const searched = []
    for (const { key, files } of await library.searchables())
      for (const file of files) searched.push([key, file.place, await searchTexts(file)])
    const units = [...(await listUnits(disk, home, histories, signal)).values()]
    const drift = (await library.drift()).map(({ names, newer, ...one }) => ({
      ...one,
      names: names.map(({ place: _, ...name }) => name),
      newer: newer?.version,
    }))
    const known = drift.length === 0 ? {} : { drift }
    return { rows, searched, ...known, units: await Promise.all(units.map(factsOf)) }
  } finally {
    await library.close()
  }
}

async function factsOf(unit: ConversationUnit) {
  const told: unknown[] = []
  const reading = unit.reader.read(unit.ref, disk, signal)
  for await (const fact of allowGaps(reading, () => told.push('gap')))
    told.push(fact.type === 'entry' || fact.type === 'conversation' ? fact : fact.type)
  const outline = await outlineUnit(unit, disk, signal).catch(() => undefined)
  return [unit.key, told, outline, outline && blockingKeys(outline)]
}

async function searchTexts({ path: at, decoder: name }: SearchFile): Promise<readonly unknown[]> {
  const bytes = Buffer.from((await readSmallFile(disk, at, Number.MAX_SAFE_INTEGER)) ?? [])
  const decoder = searchDecoders[name]
  if (decoder === undefined) throw new Error(`${at} has no decoder`)
  if (decoder.unit === 'document') return decoder.decode(bytes)
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) => decoder.decode(line, index + 1))
}

function filesIn(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .sort()
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
