import { AppError } from '../../shared/model/basics/errors'
import { libraryKeyOf, parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { Entry } from '../../shared/model/conversation/entry'
import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import { type LabelColor, labelColors } from '../../shared/model/conversation/label'
import { UsageError, wordFlag } from '../command/arguments'
import { type Command, type CommandContext, verboseOption } from '../command/command'
import { findRef, type ListedRef, readListed } from '../conversations/find'
import { allLabels, openGivenLabels } from '../conversations/given-labels'
import { sayOnce } from '../conversations/tolerant-reader'
import { withVisit } from '../homes/open-home'
import { jsonOutput, terminalText } from '../terminal/output'

/** Command `skein label`. */
export const labelCommand: Command = {
  name: 'label',
  synopsis: '[KEY [ENTRY [WORD]]] [--color C] [--remove]',
  summary: 'labels an entry of any conversation with a word and a color, or lists the labels',
  flags: ['color', 'remove', 'verbose'],
  options: [
    ['KEY ENTRY WORD', 'gives the entry this label; "skein show KEY --json" prints ids of entries'],
    ['--color C', `${labelColors.join(', ')}; ${labelColors[0]} where none is named`],
    ['--remove', "takes the entry's label away"],
    verboseOption,
  ],
  async run(context) {
    const { args, disk, output, signal } = context
    const [wanted, entryId, word, ...more] = args.operands
    const isRemoved = args.flags.remove === true
    const color = wordFlag(args, 'color', labelColors)
    if (more.length > 0)
      throw new UsageError('It is "skein label KEY ENTRY WORD"; a WORD with spaces needs quotes.')
    if (isRemoved && (entryId === undefined || word !== undefined || color !== undefined))
      throw new UsageError('It is "skein label KEY ENTRY --remove".')
    if (color !== undefined && entryId === undefined)
      throw new UsageError('--color needs a KEY and an ENTRY.')
    if (wanted === undefined) return printLabels(context, await allLabels(context))
    const listed = await findRef(wanted, args, disk, signal, sayOnce(output.say))
    if (entryId === undefined) return printLabels(context, await labelsIn(context, listed))
    const entry = await findEntry(context, listed, entryId)
    if (word === undefined && color === undefined && !isRemoved)
      return printLabels(context, await labelsIn(context, listed, entry))
    await setLabel(context, listed, entry, isRemoved ? undefined : { word, color })
    return 0
  },
}

/** Parts of a label that were given; the others stay. */
interface GivenParts {
  readonly word: string | undefined
  readonly color: LabelColor | undefined
}

/** Prints labels, those of one conversation after the other. */
async function printLabels(
  { args, output }: CommandContext,
  labels: readonly EntryLabel[],
): Promise<number> {
  if (args.json) {
    const printed = labels.map(({ key, entry, word, color, at }) => {
      const { source, key: own } = parseLibraryKey(key)
      return { source, key: own, entry, word, color, at }
    })
    await output.write(jsonOutput({ labels: printed }))
    return 0
  }
  for (const { key, entry, word, color } of labels) {
    const { source, key: own } = parseLibraryKey(key)
    await output.write(terminalText(`${source}:${own}  ${entry}  ${word} (${color})\n`))
  }
  return 0
}

async function labelsIn(
  context: CommandContext,
  { ref }: ListedRef,
  of?: Entry,
): Promise<readonly EntryLabel[]> {
  const labels = openGivenLabels(context, ref.root)
  await labels.look()
  const key = libraryKeyOf(ref.source, ref.key)
  if (of === undefined) return labels.index.givenIn(key)
  const label = labels.index.of(key, of.id)
  return label === undefined ? [] : [label]
}

/** Finds an entry by its id, or by how only one id begins. @throws AppError `not-found` */
async function findEntry(
  { disk, signal, output }: CommandContext,
  listed: ListedRef,
  wanted: string,
): Promise<Entry> {
  const found = await readListed(listed, disk, signal)
  const entries = found?.conversation.entries ?? []
  const exact = entries.find(({ id }) => id === wanted)
  if (exact !== undefined) return exact
  const near = wanted === '' ? [] : entries.filter(({ id }) => id.startsWith(wanted))
  const [first] = near
  const { source, key } = listed.ref
  if (first !== undefined && near.every(({ id }) => id === first.id)) return first
  for (const { sentence } of found?.unread ?? []) output.say(sentence)
  throw new AppError(
    'not-found',
    first === undefined
      ? `There is no entry "${wanted}" in ${source}:${key}; "skein show KEY --json" prints their ids.`
      : `Several entries of ${source}:${key} begin with "${wanted}".`,
  )
}

async function setLabel(
  context: CommandContext,
  { ref }: ListedRef,
  { id }: Entry,
  wanted: GivenParts | undefined,
): Promise<void> {
  const { source, key, root: path } = ref
  const root = context.args.roots.find((one) => one.source === 'chibi' && one.path === path)
  if (root?.writable === false)
    throw new AppError(
      'read-only',
      `"${key}" is a context of a home that is only read; --home takes it as one to write to.`,
    )
  const labels = openGivenLabels(context, path)
  const set = async () => {
    await labels.look()
    const named = libraryKeyOf(source, key)
    const before = labels.index.of(named, id)
    const label = wanted && {
      word: wanted.word ?? before?.word ?? '',
      color: wanted.color ?? before?.color ?? labelColors[0],
    }
    const taken = await labels.set(named, id, label)
    const now = labels.index.of(named, id)
    const words =
      now !== undefined
        ? `has the label "${now.word}" (${now.color})`
        : taken === undefined
          ? 'had no label'
          : 'has no label any more'
    context.output.say(terminalText(`Entry ${id} of "${key}" ${words}.`))
  }
  if (root === undefined) await set()
  else await withVisit(context, root, { context: key }, set)
}
