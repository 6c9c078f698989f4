import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { GivenImage } from '../../../shared/model/conversation/images'
import { useDrafts, useModels, useSettings, useStores } from '../../state/context'
import type { AttachedImage, AttachedText, PdfOfDraft, ReadFiles } from '../../state/run-state'
import { settingsFor } from '../../state/settings/settings'
import { readImageFiles } from './image-files'

/** Images and text files of a draft, with their actions. */
export interface DraftAttachments {
  readonly images: readonly AttachedImage[]
  readonly files: readonly AttachedText[]
  /** Files are being read: a message sent now would go without them. */
  readonly isReading: boolean
  /** Why a given file is not attached. */
  readonly fault: string | undefined
  /** PDFs whose text is being read. */
  readonly reading: readonly PdfOfDraft[]
  /** Words on what happens to the images, where this model sees none. */
  readonly warning: string | undefined
  attach(files: readonly File[]): void
  /** Attaches what was read already; `fault` says why something was not. */
  attachGiven(given: readonly GivenImage[], fault?: string): void
  /** Attaches what is being read, when it has come; until then no message is sent. */
  attachRead(read: Promise<ReadFiles>): void
  detach(id: string): void
  dismissFault(): void
  /** Stops the reading of a PDF. */
  stopReading(id: string): void
}

const none: readonly AttachedImage[] = []
const noPdfs: readonly PdfOfDraft[] = []

/**
 * Returns the images and text files of a draft and its actions; attaching one loads the provider's model list, which tells whether
 * the model sees images.
 *
 * @param place of the draft; `key` is the conversation, undefined for one that is not there yet
 */
export function useImages(place: string, key: LibraryKey | undefined): DraftAttachments {
  const { drafts, models } = useStores()
  const images = useDrafts(({ attached }) => attached[place]) ?? none
  const knownFiles = useDrafts(({ texts }) => texts[place])
  const textsAt = useDrafts((state) => state.textsAt)
  const files = knownFiles ?? textsAt(place)
  const isReading = useDrafts(({ reading }) => (reading[place] ?? 0) > 0)
  const fault = useDrafts(({ attachFaults }) => attachFaults[place])
  const reading = useDrafts(({ readingPdfs }) => readingPdfs[place]) ?? noPdfs
  const view = useSettings((state) => settingsFor(state, key))
  const baseUrl = view?.baseUrl.value ?? ''
  const model = view?.model.value ?? ''
  const isPractice = view?.provider === 'practice'
  const inputs = useModels(
    ({ lists }) =>
      lists[baseUrl]?.models.find(({ id, alias }) => id === model || alias === model)?.inputs,
  )
  const isBlind = isPractice || (inputs !== undefined && !inputs.includes('image'))

  async function learnInputs(): Promise<void> {
    // Only the provider's list says which inputs a model accepts.
    const isKnown = models.getState().lists[baseUrl] !== undefined
    if (!isPractice && baseUrl !== '' && !isKnown)
      await models.getState().loadLists([baseUrl], false)
  }

  async function attachRead(read: Promise<ReadFiles>): Promise<void> {
    await drafts.getState().attachRead(place, read)
    await learnInputs()
  }

  async function readGiven(files: readonly File[]): Promise<ReadFiles> {
    const { images: given, fault } = await readImageFiles(files)
    return { given, fault }
  }
  return {
    images,
    files,
    isReading,
    fault,
    reading,
    warning: images.length > 0 && isBlind ? warningOf(isPractice, model) : undefined,
    attach: (files) => {
      if (files.length > 0) void attachRead(readGiven(files))
    },
    attachGiven(given, wrong) {
      drafts.getState().attach(place, given, wrong)
      void learnInputs()
    },
    attachRead: (read) => void attachRead(read),
    detach: (id) => drafts.getState().detach(place, id),
    dismissFault: () => drafts.getState().dismissAttachFault(place),
    stopReading: (id) => drafts.getState().stopReading(place, id),
  }
}

function warningOf(isPractice: boolean, model: string): string {
  return isPractice
    ? 'The practice model sees no images. It gets the text; the images stay in the transcript.'
    : `${model} accepts no images, according to its provider. They are sent anyway; if they are refused, only the text is sent. Choose another model or remove them.`
}
