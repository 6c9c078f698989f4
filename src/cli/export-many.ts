import path from 'node:path'
import { type Disk, DiskError } from '../main/disk/interface/disk'
import { protectedPlaceAround } from '../main/disk/writing/protected-places'
import { writeNewPieces } from '../main/disk/writing/write-pieces'
import { createFreeNames, exportFileName, type FreeNames } from '../main/exporters/file-names'
import { countLosses, sumLosses } from '../main/exporters/losses'
import { type Exporter, toExportable } from '../main/exporters/parts/exporter'
import { AppError } from '../shared/model/basics/errors'
import type { ExportBranches, LossReport } from '../shared/model/export'
import { type Arguments, UsageError } from './command/arguments'
import type { CommandContext } from './command/command'
import {
  findRef,
  type LedgersOf,
  type ListedRef,
  listRefs,
  readListed,
  rootsOfSource,
  sharedLedgers,
} from './conversations/find'
import { withGivenTitles } from './conversations/titles'
import { isUnreadable, sayOnce } from './conversations/tolerant-reader'
import { originalOf } from './originals'
import { jsonOutput, terminalText } from './terminal/output'

type ManyContext = Pick<CommandContext, 'args' | 'disk' | 'environment' | 'output' | 'signal'>

/** Conversations to write, in which form and where. */
export interface ExportMany {
  /** Keys as people write them; all that is read where it is undefined. */
  readonly keys: readonly string[] | undefined
  readonly exporter: Exporter
  readonly branches: ExportBranches
  readonly folder: string
}

/** A conversation that was written. */
interface WrittenOne {
  readonly source: string
  readonly key: string
  readonly file: string
  readonly bytes: number
  readonly losses: LossReport
  /** Parts that could not be read, a sentence each. */
  readonly unread: readonly string[]
}

/**
 * Writes conversations into a folder, which is made where it is missing: a file each, under a name that was free. Reads one
 * at a time. What cannot be read or written is said, and the others are written.
 *
 * Stops with the signal's reason: files that are there are whole, and it is said how many.
 *
 * @returns the exit code: 1 where something could not be read or written
 * @throws UsageError, AppError `not-found` a key that names none, `bad-argument` a folder among what is read
 */
export async function exportMany(context: ManyContext, wanted: ExportMany): Promise<number> {
  const { args, disk, output, signal } = context
  const { exporter, folder } = wanted
  const note = sayOnce(output.say)
  const listed = await listedOf(context, wanted, note)
  if (listed.length === 0) throw new AppError('not-found', 'There is no conversation to export.')
  await readyFolder(disk, folder, args)
  const names = createFreeNames(
    async (name) => (await disk.stat(path.join(folder, name))) !== undefined,
  )
  const ledgersOf = sharedLedgers(disk, signal, note)
  const written: WrittenOne[] = []
  let failed = 0
  try {
    for (const one of listed) {
      signal.throwIfAborted()
      const { source, key } = one.ref
      try {
        const done = await exportOne(context, wanted, one, names, ledgersOf)
        written.push(done)
        if (!args.json)
          output.say(terminalText(`${source}:${key}: ${done.bytes} bytes in ${done.file}.`))
        if (done.unread.length === 0) continue
        failed += 1
        output.say(terminalText(`${source}:${key} is not whole: ${done.unread.join(' ')}`))
      } catch (error) {
        // On a full disk the others fail as well.
        const isFull = error instanceof DiskError && error.code === 'no-space'
        if (signal.aborted || isFull || !isUnreadable(error)) throw error
        failed += 1
        output.say(terminalText(`${source}:${key} was not exported: ${error.message}`))
      }
    }
  } catch (error) {
    output.say(`Stopped: ${written.length} of ${listed.length} conversations are in ${folder}.`)
    throw error
  }
  const { entries, losses } = sumLosses(
    exporter,
    written.map((one) => one.losses),
  )
  if (args.json)
    await output.write(
      jsonOutput({
        folder,
        files: written.map(({ source, key, file, bytes, losses, unread }) => ({
          ...{ source, key, file, bytes, whole: unread.length === 0 },
          losses: losses.losses,
        })),
        failed,
      }),
    )
  for (const { sentence } of losses) output.say(sentence)
  const all = written.length === 1 ? '1 conversation' : `${written.length} conversations`
  output.say(
    `${all} with ${entries} entries in ${folder}${failed === 0 ? '' : `; ${failed} could not be exported whole`}.`,
  )
  return failed === 0 ? 0 : 1
}

async function listedOf(
  { args, disk, signal }: ManyContext,
  { keys }: ExportMany,
  note: (words: string) => void,
): Promise<readonly ListedRef[]> {
  const roots = rootsOfSource(args)
  const listed: ListedRef[] = []
  if (keys === undefined)
    for await (const one of listRefs(roots, disk, signal, note)) listed.push(one)
  else for (const key of keys) listed.push(await findRef(key, roots, disk, signal, note))
  // Two keys may name one conversation.
  const names = new Set<string>()
  return listed.filter(({ ref: { source, root, key } }) => {
    const name = JSON.stringify([source, root, key])
    return !names.has(name) && names.add(name)
  })
}

/** Makes the folder where it is missing. @throws UsageError where a file is in its place, AppError `bad-argument` where it lies among what is read, DiskError */
async function readyFolder(disk: Disk, folder: string, { roots }: Arguments): Promise<void> {
  const kind = (await disk.stat(folder))?.kind
  if (kind !== undefined && kind !== 'directory')
    throw new UsageError(`-o names a folder for several conversations; ${folder} is none.`)
  // What lies in it is what would be written.
  const place =
    (await protectedPlaceAround(disk, folder, { roots, files: [] })) ??
    (await protectedPlaceAround(disk, path.join(folder, 'any'), { roots, files: [] }))
  if (place !== undefined)
    throw new AppError(
      'bad-argument',
      `Nothing was exported: ${folder} lies in what is read and never written to: ${place}.`,
    )
  if (kind === undefined) await disk.makeFolder(folder)
}

async function exportOne(
  context: ManyContext,
  { exporter, branches, folder }: ExportMany,
  listed: ListedRef,
  nameFor: FreeNames,
  ledgersOf: LedgersOf,
): Promise<WrittenOne> {
  const { disk, signal } = context
  const { ref } = listed
  const found = await readListed(listed, disk, signal)
  if (found === undefined)
    throw new AppError('not-found', `There is no conversation "${ref.key}" any more.`)
  const unread = [...found.unread]
  const ledgers = await ledgersOf(listed, found.files)
  const [conversation = found.conversation] = await withGivenTitles(
    context,
    [found.conversation],
    ref.root,
    // Bytes that are copied have no title of ours in any case.
    (part) => void (exporter.id === 'original' || unread.push(part)),
  )
  const original = await originalOf(listed, disk)
  const whole = () => toExportable(conversation, ledgers, () => original.bytes(signal))
  const losses = await countLosses(exporter, whole(), { branches, unread: () => unread }, signal)
  const file = await nameFor(exportFileName(exporter, conversation, original.name))
  const pieces = exporter.write(whole(), { branches }, signal)
  const bytes = await writeNewPieces(disk, path.join(folder, file), pieces, 'umask')
  const sentences = [...new Set(unread.map(({ sentence }) => sentence))]
  return { source: ref.source, key: ref.key, file, bytes, losses, unread: sentences }
}
