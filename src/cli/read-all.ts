import type { Disk } from '../main/disk/disk'
import { type ReadConversation, type ReadRoot, readRoot } from '../main/readers/gather'
import { readers } from '../main/readers/index'
import type { Root } from './arguments'
import type { CommandContext } from './command'
import { withGivenTitles } from './titles'
import { isUnreadable, once, tolerant } from './tolerant'

/** Reads a root with the reader of its source; what cannot be read of it is a notice. */
export async function readOne(root: Root, disk: Disk, signal: AbortSignal): Promise<ReadRoot> {
  const reader = readers.find(({ id }) => id === root.source)
  // The command line accepts known sources alone.
  if (reader === undefined) throw new Error(`no reader for ${root.source}`)
  const faults = new Set<string>()
  const told = (read: ReadRoot): ReadRoot => ({
    ...read,
    notices: [...read.notices, ...[...faults].map((notice) => ({ key: root.path, notice }))],
  })
  try {
    if ((await disk.stat(root.path)) !== undefined) {
      const going = tolerant(reader, (words) => faults.add(words))
      return told(await readRoot(going, root.path, disk, signal))
    }
  } catch (error) {
    if (signal.aborted || !isUnreadable(error)) throw error
    faults.add(error.message)
  }
  return told({ conversations: [], files: [], notices: [] })
}

/**
 * Every conversation under the roots, read whole and joined with its relatives, under the titles that were given in Skein;
 * holds it all. What cannot be read is said,
 * and the others are read.
 */
export async function readAll(
  context: Pick<CommandContext, 'disk' | 'output' | 'signal' | 'environment'>,
  roots: readonly Root[],
): Promise<readonly ReadConversation[]> {
  const { disk, output, signal } = context
  const conversations: ReadConversation[] = []
  const say = once(output.say)
  for (const root of roots) {
    const read = await readOne(root, disk, signal)
    for (const one of await withGivenTitles(context, read.conversations, root.path))
      conversations.push(one)
    for (const { key, notice } of read.notices) say(`${key}: ${notice}`)
  }
  return conversations
}
