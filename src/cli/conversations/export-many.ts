import type { Disk } from '../../main/disk/interface/disk'
import { sumLosses } from '../../main/exporters/losses'
import {
  type ExportForm,
  isWritten,
  type PlaceOfMany,
  type SavedConversation,
} from '../../main/home/export/exports'
import { AppError } from '../../shared/model/basics/errors'
import { countWithNoun } from '../../shared/model/basics/plural'
import { UsageError } from '../command/arguments'
import type { CommandContext } from '../command/command'
import { jsonOutput, terminalText } from '../terminal/output'
import { findRef, type ListedRef, listRefs, rootsOfSource } from './find'
import { redactedSentence, sumRedacted } from './given-redaction'
import { conversationsOf, type NamedConversations, withConversations } from './libraries'
import { sayOnce } from './tolerant-reader'

type ManyContext = Pick<CommandContext, 'args' | 'disk' | 'environment' | 'output' | 'signal'>

/** Conversations to write, in which form and where. */
export interface ExportMany {
  /** Keys as people write them; all that is read where it is undefined. */
  readonly keys: readonly string[] | undefined
  readonly form: ExportForm
  /** Absolute; a zip where its name ends so and no folder is there. */
  readonly target: string
}

type Saved = Extract<SavedConversation, { type: 'saved' }>

/**
 * Writes conversations into a folder, which is made where it is missing, or into one zip: a file each, under a name that was free.
 * Reads one at a time. What cannot be read or written is reported, and the others are written.
 *
 * Stops with the signal's reason: files that are in the folder are whole, and their number is reported; there is no zip then.
 *
 * @returns the exit code: 1 where something could not be read or written
 * @throws UsageError, AppError `not-found` a key that names none, `bad-argument` a place among what is read
 */
export async function exportMany(context: ManyContext, wanted: ExportMany): Promise<number> {
  const { disk, output, signal } = context
  const { target } = wanted
  const listed = await listedOf(context, wanted, sayOnce(output.say))
  if (listed.length === 0) throw new AppError('not-found', 'There is no conversation to export.')
  const isZip = await isZipAt(disk, target)
  const written: Saved[] = []
  return withConversations(context, async (all) => {
    let outcome: Outcome
    try {
      const write = (place: string | PlaceOfMany) =>
        writeAll(context, savedOf(all, listed, wanted.form, place, signal), written)
      outcome = isZip
        ? await writeZipOf(all, target, write, { written, signal })
        : { written, failed: await write(target), zipBytes: undefined }
      // A zip that has its name is there, whatever is pressed behind it.
      if (outcome.zipBytes == null) signal.throwIfAborted()
    } catch (error) {
      if (!isZip)
        output.say(`Stopped: ${written.length} of ${listed.length} conversations are in ${target}.`)
      else if (!isWritten(error))
        output.say(`Stopped: no zip was written; what stood at ${target} is as it was.`)
      throw error
    }
    return report(context, wanted, outcome)
  })
}

async function writeZipOf(
  [first]: readonly NamedConversations[],
  target: string,
  write: (zip: PlaceOfMany) => Promise<number>,
  { written, signal }: { readonly written: readonly Saved[]; readonly signal: AbortSignal },
): Promise<Outcome> {
  if (first === undefined) throw new Error('nothing is open')
  const { value: failed, bytes = null } = await first.exports.saveZip(target, write, { signal })
  return { written, failed, zipBytes: bytes }
}

/** Adds to `written` what is written; the number of those that are not, or not whole. */
async function writeAll(
  { args, output }: ManyContext,
  saved: AsyncIterable<SavedConversation>,
  written: Saved[],
): Promise<number> {
  let failed = 0
  for await (const one of saved) {
    const name = `${one.source}:${one.key}`
    if (one.type === 'failed') {
      failed += 1
      output.say(terminalText(`${name} was not exported: ${one.message}`))
      continue
    }
    written.push(one)
    if (!args.json) output.say(terminalText(`${name}: ${one.bytes} bytes in ${one.file}.`))
    if (one.unread.length === 0) continue
    failed += 1
    output.say(terminalText(`${name} is not whole: ${one.unread.join(' ')}`))
  }
  return failed
}

/** Outcome of an export. */
interface Outcome {
  readonly written: readonly Saved[]
  readonly failed: number
  /** Null where no zip was written, undefined where none was asked for. */
  readonly zipBytes: number | null | undefined
}

async function report(
  { args, output }: ManyContext,
  { form, target }: ExportMany,
  { written, failed, zipBytes }: Outcome,
): Promise<number> {
  const { entries, losses } = sumLosses(
    form.exporter,
    written.map((one) => one.losses),
  )
  const redacted = sumRedacted(written.map((one) => one.redacted))
  const isRedacted = form.redaction !== undefined
  if (args.json)
    await output.write(
      jsonOutput({
        ...(zipBytes === undefined ? { folder: target } : { zip: target, bytes: zipBytes }),
        files: written.map(({ source, key, file, bytes, losses, unread, redacted }) => ({
          ...{ source, key, file, bytes, whole: unread.length === 0 },
          losses: losses.losses,
          ...(redacted === undefined ? {} : { redacted: sumRedacted([redacted]) }),
        })),
        failed,
        ...(isRedacted ? { redacted } : {}),
      }),
    )
  for (const { sentence } of losses) output.say(sentence)
  if (isRedacted) output.say(redactedSentence(redacted))
  const all = countWithNoun(written.length, 'conversation')
  const into = zipBytes == null ? target : `${target}, ${zipBytes} bytes`
  output.say(
    zipBytes === null
      ? `No zip was written: ${countWithNoun(failed, 'conversation')} could not be exported.`
      : `${all} with ${entries} entries in ${into}${failed === 0 ? '' : `; ${failed} could not be exported whole`}.`,
  )
  return failed === 0 ? 0 : 1
}

/** Writes those of one home after those of another: each home has titles of its own. */
async function* savedOf(
  all: readonly NamedConversations[],
  listed: readonly ListedRef[],
  form: ExportForm,
  place: string | PlaceOfMany,
  signal: AbortSignal,
): AsyncGenerator<SavedConversation> {
  for (const one of all) {
    const own = listed.filter(({ ref }) => conversationsOf(all, ref) === one)
    if (own.length > 0) yield* one.exports.saveAll(own, form, place, signal)
  }
}

/** Returns true for the place of a zip: its name ends so, and no folder is there. @throws DiskError */
export async function isZipNamed(disk: Disk, target: string): Promise<boolean> {
  return /\.zip$/i.test(target) && (await disk.stat(target))?.kind !== 'directory'
}

/** @throws UsageError where what is there is neither, DiskError */
async function isZipAt(disk: Disk, target: string): Promise<boolean> {
  if (await isZipNamed(disk, target)) return true
  const kind = (await disk.stat(target))?.kind
  if (kind === undefined || kind === 'directory') return false
  throw new UsageError(
    `-o names a folder, or a file that ends in .zip, for several conversations; ${target} is neither.`,
  )
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
