import type { Disk } from '../../main/disk/interface/disk'
import { sumLosses } from '../../main/exporters/losses'
import type { ExportForm, SavedConversation } from '../../main/home/export/exports'
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
  readonly folder: string
}

/**
 * Writes conversations into a folder, which is made where it is missing: a file each, under a name that was free.
 * Reads one at a time. What cannot be read or written is reported, and the others are written.
 *
 * Stops with the signal's reason: files that are there are whole, and their number is reported.
 *
 * @returns the exit code: 1 where something could not be read or written
 * @throws UsageError, AppError `not-found` a key that names none, `bad-argument` a folder among what is read
 */
export async function exportMany(context: ManyContext, wanted: ExportMany): Promise<number> {
  const { args, disk, output, signal } = context
  const { folder, form } = wanted
  const listed = await listedOf(context, wanted, sayOnce(output.say))
  if (listed.length === 0) throw new AppError('not-found', 'There is no conversation to export.')
  await mustBeFolder(disk, folder)
  const written: Extract<SavedConversation, { type: 'saved' }>[] = []
  let failed = 0
  try {
    await withConversations(context, async (all) => {
      for await (const one of savedOf(all, listed, wanted, signal)) {
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
      signal.throwIfAborted()
    })
  } catch (error) {
    output.say(`Stopped: ${written.length} of ${listed.length} conversations are in ${folder}.`)
    throw error
  }
  const { entries, losses } = sumLosses(
    form.exporter,
    written.map((one) => one.losses),
  )
  const redacted = sumRedacted(written.map((one) => one.redacted))
  const isRedacted = form.redaction !== undefined
  if (args.json)
    await output.write(
      jsonOutput({
        folder,
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
  output.say(
    `${all} with ${entries} entries in ${folder}${failed === 0 ? '' : `; ${failed} could not be exported whole`}.`,
  )
  return failed === 0 ? 0 : 1
}

/** Writes those of one home after those of another: each home has titles of its own. */
async function* savedOf(
  all: readonly NamedConversations[],
  listed: readonly ListedRef[],
  { form, folder }: ExportMany,
  signal: AbortSignal,
): AsyncGenerator<SavedConversation> {
  for (const one of all) {
    const own = listed.filter(({ ref }) => conversationsOf(all, ref) === one)
    if (own.length > 0) yield* one.exports.saveAll(own, form, folder, signal)
  }
}

/** @throws UsageError where a file is in its place, DiskError */
async function mustBeFolder(disk: Disk, folder: string): Promise<void> {
  const kind = (await disk.stat(folder))?.kind
  if (kind !== undefined && kind !== 'directory')
    throw new UsageError(`-o names a folder for several conversations; ${folder} is none.`)
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
