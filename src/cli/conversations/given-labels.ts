import {
  type LabelStore,
  labelledEntry,
  openLabels,
  unreadLabelPart,
} from '../../main/library/families/labels'
import { pushAll } from '../../shared/model/basics/long-lists'
import { libraryKeyOf, parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { Entry } from '../../shared/model/conversation/entry'
import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import type { UnreadPart } from '../../shared/model/conversation/reading'
import type { CommandContext } from '../command/command'
import { type GivenContext, givenFiles } from './given-files'

/** Opens the labels that were given in Skein to entries of a home's contexts and of other systems' conversations. */
export function openGivenLabels(context: GivenContext, home: string | undefined): LabelStore {
  return openLabels(givenFiles(context, home))
}

/**
 * Gives the entries of a conversation the labels that they were given; the others stay as they are.
 *
 * @param root where the conversation lies: of a context, its home
 * @param onGap gets the part where labels could not be read
 */
export async function withLabels(
  context: GivenContext,
  { source, key }: { readonly source: string; readonly key: string },
  entries: readonly Entry[],
  root: string,
  onGap: (part: UnreadPart) => void,
): Promise<readonly Entry[]> {
  const labels = openGivenLabels(context, root)
  await labels.look()
  const named = libraryKeyOf(source, key)
  const fault = labels.faultOf(named)
  if (fault !== undefined) onGap(unreadLabelPart(key, fault))
  if (labels.all.length === 0) return entries
  return entries.map((entry) => labelledEntry(entry, labels.index.of(named, entry.id)))
}

/** Lists all labels of the homes that the command line names, and those of other systems' conversations. */
export async function allLabels(
  context: Pick<CommandContext, 'args' | 'disk' | 'environment' | 'output'>,
): Promise<readonly EntryLabel[]> {
  const homes = context.args.roots.filter(({ source }) => source === 'chibi')
  const found: EntryLabel[] = []
  for (const home of homes.length === 0 ? [undefined] : homes) {
    const labels = openGivenLabels(context, home?.path)
    await labels.look()
    // Those of other systems lie beside no home: they are listed once.
    const isFirst = home === undefined || home === homes[0]
    const isListed = (key: string) => isFirst || parseLibraryKey(key).source === 'chibi'
    pushAll(
      found,
      labels.all.filter(({ key }) => isListed(key)),
    )
  }
  return found
}
