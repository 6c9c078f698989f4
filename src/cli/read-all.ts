import type { Disk } from '../main/disk/disk'
import { type ReadConversation, type ReadRoot, readRoot } from '../main/readers/gather'
import { readers } from '../main/readers/index'
import type { Root } from './arguments'
import type { CommandContext } from './command'
import { forTerminal } from './output'

/** Reads a root with the reader of its source. */
export async function readOne(root: Root, disk: Disk, signal: AbortSignal): Promise<ReadRoot> {
  const reader = readers.find(({ id }) => id === root.source)
  // The command line accepts known sources alone.
  if (reader === undefined) throw new Error(`no reader for ${root.source}`)
  if ((await disk.stat(root.path)) === undefined)
    return { conversations: [], files: [], notices: [] }
  return readRoot(reader, root.path, disk, signal)
}

/**
 * Every conversation under the roots, read whole and joined with its relatives; holds it all. What cannot be read is said,
 * and the others are read.
 */
export async function readAll(
  { disk, output, signal }: Pick<CommandContext, 'disk' | 'output' | 'signal'>,
  roots: readonly Root[],
): Promise<readonly ReadConversation[]> {
  const conversations: ReadConversation[] = []
  for (const root of roots) {
    const read = await readOne(root, disk, signal)
    for (const one of read.conversations) conversations.push(one)
    for (const { key, notice } of read.notices) output.say(forTerminal(`${key}: ${notice}`))
  }
  return conversations
}
