import type { Contract } from '../../../shared/ipc/contract'
import type { Emitters, Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import { mostShownCharacters, weightOf } from '../../../shared/model/basics/weight'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { ModelMessage } from '../../../shared/model/conversation/model-view'
import type { Cursor } from '../../../shared/model/conversation/transcript'
import { followTranscript, type TranscriptFeed } from '../../library/transcripts'
import { rowsForWindow } from '../limits/rows-for-window'
import type { CurrentHome } from '../open-home'

/** A raw line is shown up to this size; the rest is said to be cut. In bytes. */
const rawLimitBytes = 1 << 20

/** Passes on what a model would be sent. @throws AppError `bad-argument` it is longer than what can be handed to the window at once */
export function modelViewForWindow(view: ModelMessage[] | null): ModelMessage[] | null {
  if (weightOf(view, mostShownCharacters) > mostShownCharacters)
    throw new AppError(
      'bad-argument',
      'What the model would be sent has more than 8 million characters, too many to show here; "skein show KEY --as-model" prints it.',
    )
  return view
}

/** The transcript that is on the screen: read in pages, and followed. */
export interface TranscriptDomain {
  readonly handlers: Handlers<Contract['transcript']>
  /** Tells the window what a run of ours has just appended; resolves when it has been told. */
  poke(key: string): Promise<void>
  close(): void
}

/** @param opened is told which conversation a person has on the screen now */
export function transcriptDomain(
  home: CurrentHome,
  tell: Emitters<Contract['transcript']>,
  opened: (key: LibraryKey) => void,
): TranscriptDomain {
  let followed: { readonly key: LibraryKey; readonly feed: TranscriptFeed } | undefined
  /** Where the last page that reached the end stopped: from there on a new feed goes. */
  let lastEnd: { readonly key: LibraryKey; readonly after: Cursor } | undefined

  function close(): void {
    followed?.feed.close()
    followed = undefined
  }

  async function follow(key: LibraryKey): Promise<void> {
    const { transcripts } = home()
    const start =
      lastEnd?.key === key ? lastEnd.after : (await transcripts.page(key, 'end', 1)).after
    close()
    const feed = followTranscript(transcripts, key, start, {
      appended: (rows, after) => tell.appended({ key, rows: rowsForWindow(rows), after }),
      changed: () => tell.changed({ key }),
      lock: (lock) => tell.lock({ key, lock }),
    })
    followed = { key, feed }
  }

  return {
    handlers: {
      async page({ key, from, limit }) {
        const page = await home().transcripts.page(key, from, limit)
        if (page.atEnd) lastEnd = { key, after: page.after }
        return { ...page, rows: rowsForWindow(page.rows) }
      },
      async locate({ key, entry }) {
        return (await home().transcripts.locate(key, entry)) ?? null
      },
      async raw({ key, file, offset, length, entry }) {
        const { bytes, line } = await home().transcripts.line(key, file, offset, length, entry)
        const shown = bytes.subarray(0, rawLimitBytes)
        return { text: new TextDecoder().decode(shown), line, cut: length > shown.length }
      },
      async modelView({ key }) {
        return modelViewForWindow((await home().transcripts.modelView(key)) ?? null)
      },
      async windowStart({ key }) {
        return (await home().transcripts.windowStart(key)) ?? null
      },
      details: ({ key }) => home().library.details(key),
      async watch({ key }) {
        if (key === null) return close()
        await follow(key)
        opened(key)
      },
    },
    async poke(key) {
      if (followed?.key === key) await followed.feed.poke()
    },
    close,
  }
}
