import { useState } from 'react'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { GivenImage } from '../../../shared/model/conversation/images'
import { useDrafts, useModels, useSettings, useStores } from '../../state/context'
import type { AttachedImage, AttachedText } from '../../state/run-state'
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
  /** Words on what happens to the images, where this model sees none. */
  readonly warning: string | undefined
  attach(files: readonly File[]): void
  /** Attaches what was read already; `fault` says why something was not. */
  attachGiven(given: readonly GivenImage[], fault?: string): void
  detach(id: string): void
  dismissFault(): void
}

const none: readonly AttachedImage[] = []

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
  const [reading, setReading] = useState(0)
  const fault = useDrafts(({ attachFaults }) => attachFaults[place])
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

  async function attach(files: readonly File[]): Promise<void> {
    setReading((count) => count + 1)
    try {
      const given = await readImageFiles(files)
      drafts.getState().attach(place, given.images, given.fault)
    } finally {
      setReading((count) => count - 1)
    }
    await learnInputs()
  }
  return {
    images,
    files,
    isReading: reading > 0,
    fault,
    warning: images.length > 0 && isBlind ? warningOf(isPractice, model) : undefined,
    attach: (files) => {
      if (files.length > 0) void attach(files)
    },
    attachGiven(given, wrong) {
      drafts.getState().attach(place, given, wrong)
      void learnInputs()
    },
    detach: (id) => drafts.getState().detach(place, id),
    dismissFault: () => drafts.getState().dismissAttachFault(place),
  }
}

function warningOf(isPractice: boolean, model: string): string {
  return isPractice
    ? 'The practice model sees no images. It gets the text; the images stay in the transcript.'
    : `${model} accepts no images, according to its provider. They are sent anyway; if they are refused, only the text is sent. Choose another model or remove them.`
}
