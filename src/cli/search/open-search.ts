import path from 'node:path'
import { openConversationSearch } from '../../main/home/search'
import type { Search } from '../../main/search/search'
import { pushAll } from '../../shared/model/basics/long-lists'
import type { SearchableConversation } from '../../shared/model/search'
import type { CommandContext } from '../command/command'
import { withLibraries } from '../conversations/libraries'
import { cacheFolder } from '../homes/named-homes'

/** Opens search over everything that the command line names, and closes it. `isWhole` tells whether all could be listed. */
export function withSearch<T>(
  context: CommandContext,
  work: (
    search: Search,
    conversations: readonly SearchableConversation[],
    isWhole: () => boolean,
  ) => Promise<T>,
): Promise<T> {
  const { args, disk, environment, signal } = context
  return withLibraries(context, async (libraries, isWhole) => {
    const conversations: SearchableConversation[] = []
    for (const library of libraries) pushAll(conversations, await library.searchables(signal))
    const opened = openConversationSearch({
      disk,
      cacheFolder: path.join(cacheFolder(args, environment), 'search'),
      workers: context.searchWorkers(),
    })
    try {
      await opened.update(conversations)
      return await work(opened, conversations, isWhole)
    } finally {
      await opened.close()
    }
  })
}

/** Brings the filters up to date. A cache that cannot be written is no failure, and told: what has no filter is read in full. */
export async function buildFilters(
  { output, signal }: CommandContext,
  opened: Search,
): Promise<void> {
  try {
    const done = await opened.buildIndex({ all: true, signal })
    if (!done) output.say('Another Skein is building the filters.')
  } catch (error) {
    signal.throwIfAborted()
    output.say(`The filters were not saved: ${error instanceof Error ? error.message : error}`)
  }
}
