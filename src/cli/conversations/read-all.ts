import type { Disk } from '../../main/disk/interface/disk'
import type { SourceRef } from '../../main/readers/common/reader'
import { readers } from '../../main/readers/index'
import { type ReadConversation, type ReadRoot, readRoot } from '../../main/readers/read-root'
import type { UnreadPart } from '../../shared/model/conversation/reading'
import type { Root } from '../command/arguments'
import type { CommandContext } from '../command/command'
import { findChosen } from './chosen-copies'
import { withGivenTitles } from './titles'
import { isUnreadable, sayOnce, tolerantReader } from './tolerant-reader'

/**
 * Reads roots, each with the reader of its source; parts that cannot be read are in `unread`. A conversation that several of them
 * keep in different stores is read once.
 */
export async function* readNamedRoots(
  roots: readonly Root[],
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<{ readonly root: Root; readonly read: ReadRoot }> {
  const choose = await findChosen(roots, disk, signal)
  for (const root of roots)
    yield { root, read: await readNamedRoot(root, disk, signal, (ref) => choose(root, ref)) }
}

async function readNamedRoot(
  root: Root,
  disk: Disk,
  signal: AbortSignal,
  choose: (ref: SourceRef) => SourceRef | undefined,
): Promise<ReadRoot> {
  const reader = readers.find(({ id }) => id === root.source)
  // The command line accepts known sources alone.
  if (reader === undefined) throw new Error(`no reader for ${root.source}`)
  const faults = new Set<string>()
  const told = (read: ReadRoot): ReadRoot => ({
    ...read,
    unread: [
      ...read.unread,
      ...[...faults].map((sentence) => ({ key: root.path, part: { ...unlisted, sentence } })),
    ],
  })
  try {
    if ((await disk.stat(root.path)) !== undefined) {
      const going = tolerantReader(reader, (words) => faults.add(words), choose)
      return told(await readRoot(going, root.path, disk, signal))
    }
  } catch (error) {
    if (signal.aborted || !isUnreadable(error)) throw error
    faults.add(error.message)
  }
  return told({ conversations: [], files: [], notices: [], unread: [], damaged: [] })
}

const unlisted = { file: '', fromByte: 0, cause: 'failed' } as const

/** Everything that could be read, and what could not. */
export interface ReadAll {
  readonly conversations: readonly ReadConversation[]
  /** Of these not all could be read. */
  readonly incomplete: ReadonlySet<ReadConversation>
  /** Parts of each that could not be read, a sentence each. */
  readonly unreadOf: (conversation: ReadConversation) => readonly string[]
  /** How many damaged lines each has. */
  readonly damagedLinesOf: (conversation: ReadConversation) => number
  /** Parts that could not be read, a sentence each: with the conversation, or the root, that it is about. */
  readonly unread: readonly string[]
}

/**
 * Reads every conversation under the roots whole, joined with its relatives and under the title given in Skein;
 * holds all of them in memory. Parts that cannot be read are reported on stderr, and the others are read.
 */
export async function readAll(
  context: Pick<CommandContext, 'disk' | 'output' | 'signal' | 'environment'>,
  roots: readonly Root[],
): Promise<ReadAll> {
  const { disk, output, signal } = context
  const conversations: ReadConversation[] = []
  const unreadParts = new Map<ReadConversation, readonly string[]>()
  const damagedLines = new Map<ReadConversation, number>()
  const unread = new Set<string>()
  const say = sayOnce(output.say)
  for await (const { root, read } of readNamedRoots(roots, disk, signal)) {
    const onGap = ({ sentence }: UnreadPart) => void unread.add(sentence)
    for (const one of await withGivenTitles(context, read.conversations, root.path, onGap)) {
      conversations.push(one)
      const damaged = read.damaged.find(({ key }) => key === one.key)
      if (damaged !== undefined) damagedLines.set(one, damaged.lines)
      const parts = read.unread.filter(({ key }) => key === one.key)
      if (parts.length > 0)
        unreadParts.set(one, [...new Set(parts.map(({ part }) => part.sentence))])
    }
    for (const { key, part } of read.unread) unread.add(`${key}: ${part.sentence}`)
    for (const { key, notice } of read.notices) say(`${key}: ${notice}`)
  }
  for (const sentence of unread) say(sentence)
  return {
    conversations,
    incomplete: new Set(unreadParts.keys()),
    unreadOf: (one) => unreadParts.get(one) ?? [],
    damagedLinesOf: (one) => damagedLines.get(one) ?? 0,
    unread: [...unread],
  }
}
