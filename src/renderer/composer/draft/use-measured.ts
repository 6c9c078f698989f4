import { useEffect } from 'react'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { useContextWindowSize, useStores } from '../../state/context'

/** Has what is being written counted beside the window that it goes with. */
export function useMeasured(key: LibraryKey, text: string, images: number): void {
  const { contextWindowSize } = useStores()
  const measured = useContextWindowSize((state) => state.key)
  // How a draft counts is the model's tokenizer's to say.
  const by = useContextWindowSize(({ size }) =>
    size?.countedBy.by === 'tokenizer' ? size.countedBy.name : size?.countedBy.by,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted again by another tokenizer
  useEffect(() => {
    if (measured === key) contextWindowSize.getState().write(text, images)
  }, [contextWindowSize, measured, key, text, images, by])
}
