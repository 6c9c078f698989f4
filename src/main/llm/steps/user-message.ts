import { type GivenTextFile, withFrames } from '../../../shared/model/attachments/text-files'
import { AppError } from '../../../shared/model/basics/errors'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import type { GivenImage, KeptImage } from '../../../shared/model/conversation/images'
import { formatInbox, type InboxMessage } from '../../store/inbox/inbox-delivery'
import type { AppendedEntry, TranscriptWriter } from '../../store/store'
import type { Clock } from '../timing/clock'
import type { KeepFile } from './keep-file'
import { messageEntry, seconds } from './run-entries'
import type { RunHooks } from './run-hooks'
import { frameTextFiles, keepTextFiles } from './text-files'

/** Messages from other contexts on their way into a request. */
interface Delivery {
  readonly messages: readonly InboxMessage[]
  /** Lines of the inbox that hold no message. */
  readonly damaged: number
  /** Takes them out of the inbox; called once they are in the transcript. Never rejects. */
  done(): Promise<void>
}

/** A context's inbox, as a run uses it. */
export interface RunInbox {
  /**
   * Resolves to the waiting messages; undefined where there are none, or they cannot be read. Messages that a crash
   * left in the inbox, though the transcript has them already, are not given twice. Never rejects.
   *
   * @param window reads the model's window
   */
  take(window: () => Promise<readonly Entry[]>): Promise<Delivery | undefined>
}

/**
 * A function that writes images into the context's folder; they are durable when it resolves, before the entry that
 * names them is written.
 *
 * @throws AppError `bad-argument`, `disk-full`, `read-only`, `io`
 */
export type KeepImages = (images: readonly GivenImage[]) => Promise<readonly KeptImage[]>

/** A message to the model, and its author. */
export interface UserMessage {
  readonly text: string
  readonly from: string
  /** The id of its entry; a new one where it is absent. */
  readonly entryId?: EntryId | undefined
  readonly images?: readonly GivenImage[] | undefined
  /** Text files, which stand behind the text in the message itself. */
  readonly files?: readonly GivenTextFile[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Everything that writing a user message needs of its run. */
export interface UserMessageDeps {
  readonly writer: TranscriptWriter
  readonly clock: Clock
  readonly newId: () => EntryId
  readonly hooks: RunHooks
  readonly inbox?: RunInbox | undefined
  readonly keepImages?: KeepImages | undefined
  readonly keepFile?: KeepFile | undefined
  /** The context's summary, for hooks. */
  readonly summary?: string | undefined
}

/**
 * Writes a user message as the hook `pre_message` changes it, behind the messages of the inbox, in chibi's form. The
 * typed text, where it differs, the images, the text files and the inbox messages are kept in the metadata. Images and files are durable
 * before the entry; messages leave the inbox once the entry is durable.
 *
 * @throws AppError: then no entry is written, and the inbox is as it was
 */
export async function writeUserMessage(
  words: UserMessage,
  deps: UserMessageDeps,
  signal: AbortSignal,
): Promise<{ readonly row: AppendedEntry; readonly prompt: string }> {
  const { writer, clock, newId, hooks } = deps
  const framed = frameTextFiles(words.files ?? [])
  const said = withFrames(
    words.text,
    framed.map(({ frame }) => frame),
  )
  const prompt = await hooks.preMessage(said, deps.summary ?? '', signal)
  const delivery = await deps.inbox?.take(() => writer.window('notice'))
  const text = delivery === undefined ? prompt : `${formatInbox(delivery.messages)}${prompt}`
  const images = await keepGivenImages(words.images ?? [], deps.keepImages)
  const files = await keepTextFiles(framed, text, deps.keepFile)
  const metadata = {
    ...words.metadata,
    ...(images.length === 0 ? {} : { images }),
    ...(files.length === 0 ? {} : { files }),
    ...(text === said ? {} : { typed: words.text }),
    ...(delivery === undefined
      ? {}
      : {
          inbox: delivery.messages.map(({ to: _, ...message }) => message),
          ...(delivery.damaged === 0 ? {} : { inbox_damaged: delivery.damaged }),
        }),
  }
  const facts = {
    id: words.entryId ?? newId(),
    username: words.from,
    context: writer.context,
    timestamp: seconds(clock),
  }
  const entry = messageEntry(text, facts)
  const isPlain = Object.keys(metadata).length === 0
  const row = await writer.append(isPlain ? entry : { ...entry, metadata })
  await delivery?.done()
  return { row, prompt }
}

async function keepGivenImages(
  images: readonly GivenImage[],
  keep: KeepImages | undefined,
): Promise<readonly KeptImage[]> {
  if (images.length === 0) return []
  // Words about an image that is not there would mislead the model.
  if (keep === undefined) throw new AppError('bad-argument', 'Images cannot be kept here.')
  return keep(images)
}
