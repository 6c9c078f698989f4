import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { WayName } from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import { conversationNotFound } from '../../library/library'
import type { Histories, History } from '../../library/sources/histories'
import { openTranscripts, type Transcripts } from '../../library/transcripts'
import type { SourceRef } from '../../readers/common/reader'
import { readers } from '../../readers/index'
import { openStore } from '../../store/open-store'

/** A way through a conversation that a thread reads. Plain data: it crosses to another thread. */
export interface WayJob {
  readonly home: string
  readonly key: LibraryKey
  readonly way: WayName | undefined
  /** Of another system: where it lies now. */
  readonly ref: SourceRef | undefined
}

/**
 * Makes the job of a thread that reads a conversation.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function wayJob(
  {
    home,
    histories,
  }: {
    readonly home: string
    readonly histories: Pick<Histories, 'now' | 'faultOf'>
  },
  { key, way }: { readonly key: LibraryKey; readonly way?: WayName | undefined },
): Promise<WayJob> {
  if (parseLibraryKey(key).source === 'chibi') return { home, key, way, ref: undefined }
  const history = await histories.now(key)
  if (history === undefined) throw conversationNotFound(histories, key)
  return { home, key, way, ref: history.ref }
}

/** Opens the transcripts of a job's conversation, and of no other one of another system. */
export function transcriptsOf(disk: Disk, { home, key, ref }: WayJob): Transcripts {
  const reader = readers.find(({ id }) => id === ref?.source)
  const history = ref === undefined || reader === undefined ? undefined : { key, reader, ref }
  const store = openStore({ home, disk })
  return openTranscripts({ disk, store, histories: historiesOf(history) })
}

/** The one history that was found already. */
function historiesOf(history: History | undefined): Histories {
  const known = history === undefined ? [] : [history]
  return {
    roots: [],
    list: async () => known,
    known: () => known,
    find: async () => history,
    now: async () => history,
    isPartial: () => false,
    faultOf: () => undefined,
    unlisted: () => [],
    watch: () => () => undefined,
  }
}
