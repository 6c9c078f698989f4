import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { Label, LabelColor } from '../../../shared/model/conversation/label'
import { mostTags, plainTags } from '../../../shared/model/conversation/tag'
import type { Disk } from '../../disk/interface/disk'
import { whenExclusive } from '../../disk/process/exclusive'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { toWriteError } from '../../store/core/errors'
import { addLabels, type TitleAndTags, updateTitles } from '../../store/given-titles'
import { foreignLabelsFile } from './labels'
import { foreignTitlesFile } from './titles'

/** Tags, pin, color and labels that a person gave a conversation in Skein, as its export has them. */
export interface GivenOnImport {
  /** As `plainTags` has them. */
  readonly tags: readonly string[]
  readonly isPinned: boolean
  readonly color: LabelColor | undefined
  readonly isHidden: boolean
  /** As `checkedLabel` has them. */
  readonly labels: readonly { readonly entry: EntryId; readonly label: Label }[]
}

/** The time for which another Skein may be in the middle of writing. */
const waitMs = 3000

/**
 * Gives conversations of other systems than a home's what their exports say that a person gave them, durably: one write of each file,
 * however many they are. Tags are joined to those that are there, a color and labels that are there stay. Resolves to the number of tags and
 * labels that were left out: more than a conversation or the file takes, or another label is there.
 *
 * @throws AppError `read-only`, `disk-full`, `io` also where another process does not let go of the files
 */
export async function giveOnImport(
  disk: Disk,
  userFolder: string,
  all: ReadonlyMap<LibraryKey, GivenOnImport>,
  nowMs = Date.now(),
): Promise<number> {
  const at = nowMs / 1000
  let leftOut = 0
  const inTitles = [...all].filter(([, given]) => isInTitles(given))
  const labels = [...all].flatMap(([key, { labels }]) =>
    labels.map(({ entry, label }) => {
      const on = { key, entry, createdAt: undefined, at: Math.floor(at) }
      return { on, label }
    }),
  )
  if (inTitles.length > 0)
    await alone(disk, userFolder, foreignTitlesFile, 'Tags and pins', (file) =>
      updateTitles(disk, file, (there) => {
        const changed = inTitles.map(([key, given]): [LibraryKey, TitleAndTags] => {
          const now = there.get(key) ?? { by: 'person', at }
          const joined = plainTags([...(now.tags ?? []), ...given.tags])
          const most = Math.max(mostTags, now.tags?.length ?? 0)
          leftOut += Math.max(0, joined.length - most)
          const color = now.color ?? given.color
          if (given.color !== undefined && color !== given.color) leftOut += 1
          const tags = joined.length > 0 ? joined.slice(0, most) : undefined
          return [
            key,
            {
              ...now,
              tags,
              pinned: given.isPinned ? true : now.pinned,
              color,
              hidden: given.isHidden ? true : now.hidden,
            },
          ]
        })
        return new Map(changed)
      }),
    )
  if (labels.length > 0)
    await alone(disk, userFolder, foreignLabelsFile, 'Labels', async (file) => {
      leftOut += await addLabels(disk, file, labels, () => undefined)
    })
  return leftOut
}

function isInTitles({ tags, isPinned, color, isHidden }: GivenOnImport): boolean {
  return tags.length > 0 || isPinned || color !== undefined || isHidden
}

async function alone(
  disk: Disk,
  userFolder: string,
  name: string,
  what: string,
  work: (file: string) => Promise<void>,
): Promise<void> {
  const file = path.join(userFolder, name)
  try {
    await makeDurableFolder(disk, userFolder)
    const done = await whenExclusive(disk, `${file}.writing`, waitMs, () => work(file))
    if (done === undefined)
      throw new AppError('io', `${what} were not saved: another Skein is writing ${name}.`)
  } catch (error) {
    throw toWriteError(what, error)
  }
}
