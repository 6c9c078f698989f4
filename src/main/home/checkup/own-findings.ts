import path from 'node:path'
import { z } from 'zod'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { shownPath } from '../../disk/interface/shown-path'
import { readJson } from '../../disk/json/read-json'
import { whenExclusive } from '../../disk/process/exclusive'
import { namesInFolder } from '../../disk/reading/read'
import { findBackupFaults } from '../../library/backups'
import { foreignLabelsFile } from '../../library/families/labels'
import { foreignTitlesFile } from '../../library/families/titles'
import {
  brokenWords,
  countOddItems,
  findingOf,
  type HomeFile,
  isBroken,
  oddItemsWords,
  replaceBroken,
} from '../../store/home-checkup'
import { openFiles } from './open-files'
import type { OwnFinding } from './own-finding'

const megabytes = 1024 * 1024
/** How long another Skein may be in the middle of a write. */
const waitMs = 3000

/**
 * Finds what is wrong with the files that Skein keeps for its user beside the home: titles, tags and labels of other systems' conversations,
 * trust in plugins, what was chosen last, imports, backups, and who may read them. Settings are looked at elsewhere. Changes nothing. Copies
 * in backups and imports are not read.
 *
 * @param folder need not be there
 * @throws the signal's reason
 */
export async function ownFindings(
  disk: Disk,
  folder: string,
  signal: AbortSignal,
): Promise<readonly OwnFinding[]> {
  const found: OwnFinding[] = []
  const tried = async (file: string, look: () => Promise<OwnFinding | undefined>) => {
    signal.throwIfAborted()
    try {
      const one = await look()
      if (one !== undefined) found.push(one)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      const happened = `It cannot be read: ${error.message}.`
      found.push({ finding: findingOf({ kind: 'unreadable', place: shownPath(file), happened }) })
    }
  }
  for (const list of ownLists(folder)) await tried(list.path, () => inList(disk, list))
  for (const one of await smallFiles(disk, folder)) await tried(one.file, () => inFile(disk, one))
  for (const fault of await findBackupFaults(disk, path.join(folder, 'backups'), signal)) {
    const { file, kind, ...words } = fault
    const of = kind === 'damaged' ? 'own-damaged' : kind
    found.push({ finding: findingOf({ kind: of, place: shownPath(file), ...words }) })
  }
  for (const name of [...(await namesIn(disk, path.join(folder, 'imports')))].sort()) {
    const file = path.join(folder, 'imports', name)
    await tried(file, async () => {
      if ((await disk.stat(file))?.kind === 'file') await (await disk.open(file, 'read')).close()
      return undefined
    })
  }
  return [...found, ...(await openFiles(disk, folder, signal))]
}

function ownLists(folder: string): readonly HomeFile[] {
  const titles = path.join(folder, foreignTitlesFile)
  const labels = path.join(folder, foreignLabelsFile)
  return [
    { path: titles, kind: 'titles-damaged', limit: 64 * megabytes, list: 'titles' },
    { path: labels, kind: 'labels-damaged', limit: 16 * megabytes, list: 'labels' },
  ]
}

async function inList(disk: Disk, list: HomeFile): Promise<OwnFinding | undefined> {
  const place = shownPath(list.path)
  if (await isBroken(disk, list))
    return {
      finding: findingOf({ kind: list.kind, place, happened: brokenWords(list.path) }),
      mend: async () => {
        const work = () => replaceBroken(disk, list)
        const done = await whenExclusive(disk, `${list.path}.writing`, waitMs, async () => {
          await work()
          return true
        })
        if (done === undefined)
          throw new DiskError('io', list.path, 'another Skein is writing this file')
      },
    }
  const odd = await countOddItems(disk, list)
  if (odd === 0) return undefined
  return { finding: findingOf({ kind: 'reading-odd', place, happened: oddItemsWords(odd) }) }
}

/** A file of one JSON value that a person has nothing to do with. */
interface SmallFile {
  readonly file: string
  readonly is: z.ZodType
  readonly lost: string
  readonly byItself: string
}

const trustFile = z.object({
  version: z.literal(1),
  home: z.string(),
  plugins: z.array(z.object({ name: z.string(), hash: z.string(), trustedAtMs: z.number() })),
})

async function smallFiles(disk: Disk, folder: string): Promise<readonly SmallFile[]> {
  const trust = path.join(folder, 'trusted-plugins')
  const homes = path.join(folder, 'homes')
  const trusted = (await namesIn(disk, trust)).filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
  return [
    {
      file: path.join(folder, 'home.json'),
      is: z.object({ home: z.string().min(1) }),
      lost: 'Which home was opened last.',
      byItself: 'Asks for a home at the next start.',
    },
    ...trusted.sort().map((name) => ({
      file: path.join(trust, name),
      is: trustFile,
      lost: 'Which plugins of a home you trust.',
      byItself: 'Runs none of them until you trust them again; the broken file is kept then.',
    })),
    ...[...(await namesIn(disk, homes))].sort().map((name) => ({
      file: path.join(homes, name, 'window.json'),
      is: z.looseObject({}),
      lost: 'The place and size of a window.',
      byItself: 'Opens the window in its usual place.',
    })),
    ...[...(await namesIn(disk, homes))].sort().map((name) => ({
      file: path.join(homes, name, 'quick-entry.json'),
      is: z.looseObject({ id: z.string().min(1), text: z.string() }),
      lost: 'What was written in the quick entry and not sent.',
      byItself: 'Keeps the broken file under another name, and begins an empty draft.',
    })),
  ]
}

async function inFile(disk: Disk, one: SmallFile): Promise<OwnFinding | undefined> {
  const { file, is, lost, byItself } = one
  const read = await readJson(disk, file)
  if (read === undefined || (read !== 'damaged' && is.safeParse(read.value).success))
    return undefined
  const happened = brokenWords(file)
  const place = shownPath(file)
  return { finding: findingOf({ kind: 'own-damaged', place, happened, lost, byItself }) }
}

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  return namesInFolder(disk, folder).catch(() => [])
}
