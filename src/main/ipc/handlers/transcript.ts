import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import { mostShownCharacters, rawLineBytes, weightOf } from '../../../shared/model/basics/weight'
import type { ModelMessage } from '../../../shared/model/conversation/model-view'
import type { CurrentHome } from '../current/current-home'
import { rowsForWindow } from '../limits/rows-for-window'

/** Most of a saved output that is read at once. In bytes. */
const outputBytes = 256 * 1024

/** Passes on what a model would be sent. @throws AppError `bad-argument` it is longer than what can be handed to the window at once */
export function modelViewForWindow(view: ModelMessage[] | null): ModelMessage[] | null {
  if (weightOf(view, mostShownCharacters) > mostShownCharacters)
    throw new AppError(
      'bad-argument',
      'What the model would be sent has more than 8 million characters, too many to show here; "skein show KEY --as-model" prints it.',
    )
  return view
}

/** Serves transcripts in pages; the one that is on the screen is followed. */
export function transcriptHandlers(
  home: CurrentHome<'feed' | 'transcripts' | 'library'>,
): Handlers<Contract['transcript']> {
  return {
    async page({ key, from, limit, way }) {
      const page = await home().feed.page(key, from, limit, way)
      return { ...page, rows: rowsForWindow(page.rows) }
    },
    async locate({ key, entry }) {
      return (await home().transcripts.locate(key, entry)) ?? null
    },
    async raw({ key, file, offset, length, entry }) {
      const { bytes, line } = await home().transcripts.line(key, file, offset, length, entry)
      const shown = bytes.subarray(0, rawLineBytes)
      return { text: new TextDecoder().decode(shown), line, cut: length > shown.length }
    },
    async output({ key, file, output, from }) {
      const place = { file, output }
      const { text, to, bytes } = await home().transcripts.output(key, place, from, outputBytes)
      return { text, to, bytes }
    },
    async modelView({ key }) {
      return modelViewForWindow((await home().transcripts.modelView(key)) ?? null)
    },
    async windowStart({ key }) {
      return (await home().transcripts.windowStart(key)) ?? null
    },
    details: ({ key }) => home().library.details(key),
    watch: ({ key, way }) => home().feed.follow(key, way),
  }
}
