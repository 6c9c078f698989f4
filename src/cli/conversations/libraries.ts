import path from 'node:path'
import { isNotFound } from '../../main/disk/reading/read'
import { type Conversations, openConversations } from '../../main/home/conversations'
import type { Library } from '../../main/library/library'
import type { SourceRef } from '../../main/readers/common/reader'
import type { CommandContext } from '../command/command'
import { cacheFolder, chibiStores, type NamedStore } from '../homes/named-homes'
import { openGivenLabels } from './given-labels'
import { openGivenTitles } from './titles'
import { isUnreadable } from './tolerant-reader'

/** Conversations of a home that the command line names, and of other systems' roots where it is the first one. */
export interface NamedConversations extends Conversations {
  /** The home; undefined where no home is named. */
  readonly home: string | undefined
}

/**
 * Opens the conversations of the roots that were named, gives them to `work`, and closes them. The first home and all other
 * systems' roots are one, as they are in the window; further homes are each their own. A home that cannot be read
 * is reported and left out where there is something else to read.
 *
 * @param work may ask whether all that was named could be listed so far, with its titles and labels
 */
export async function withConversations<T>(
  context: Pick<CommandContext, 'args' | 'disk' | 'environment' | 'output'>,
  work: (all: readonly NamedConversations[], isWhole: () => boolean) => Promise<T>,
): Promise<T> {
  const { args, disk, output, environment } = context
  const homes = await readableHomes(context)
  let hasFaults = homes.length < chibiStores(args, disk).length
  const say = (words: string) => {
    hasFaults = true
    output.say(words)
  }
  const given = { disk, environment, output: { say } }
  const stores = homes.length > 0 ? homes.map(({ store }) => store) : [undefined]
  const all = stores.map((store, at) => ({
    home: store?.home,
    ...openConversations({
      disk,
      store,
      roots: at === 0 ? args.roots : [],
      keptRoots: args.roots,
      cacheFolder: cacheFolder(args, environment),
      titles: openGivenTitles(given, store?.home),
      labels: openGivenLabels(given, store?.home),
      isFollowed: false,
      note: (words) => output.say(words),
    }),
  }))
  const isPartial = ({ histories }: NamedConversations) =>
    histories.roots.some(({ source }) => histories.isPartial(source))
  try {
    return await work(all, () => !hasFaults && !all.some(isPartial))
  } finally {
    for (const one of all) await one.close()
  }
}

/** Does the same with their libraries. */
export function withLibraries<T>(
  context: Pick<CommandContext, 'args' | 'disk' | 'environment' | 'output'>,
  work: (libraries: readonly Library[], isWhole: () => boolean) => Promise<T>,
): Promise<T> {
  return withConversations(context, (all, isWhole) =>
    work(
      all.map(({ library }) => library),
      isWhole,
    ),
  )
}

/** Chooses those that a listed conversation belongs to. */
export function conversationsOf(
  all: readonly NamedConversations[],
  ref: Pick<SourceRef, 'source' | 'root'>,
): NamedConversations {
  const own = ref.source === 'chibi' ? all.find(({ home }) => home === ref.root) : all[0]
  // Whoever listed it listed its home.
  if (own === undefined) throw new Error(`${ref.root} is not open`)
  return own
}

async function readableHomes({
  args,
  disk,
  output,
}: Pick<CommandContext, 'args' | 'disk' | 'output'>): Promise<readonly NamedStore[]> {
  const homes = chibiStores(args, disk)
  if (args.roots.length < 2) return homes
  const readable: NamedStore[] = []
  for (const home of homes)
    try {
      await disk.list(path.join(home.store.home, 'contexts'))
      readable.push(home)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      if (isNotFound(error)) readable.push(home)
      else output.say(`${home.shown} cannot be read: ${error.message}.`)
    }
  return readable
}
