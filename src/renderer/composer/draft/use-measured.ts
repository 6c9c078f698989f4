import { useEffect } from 'react'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { useContextWindowSize, useStores } from '../../state/context'

/** Counts the tokens of a draft whenever it or the tokenizer changes. */
export function useMeasured(key: LibraryKey, text: string, images: number): void {
  const { contextWindowSize } = useStores()
  const measured = useContextWindowSize((state) => state.key)
  // The count depends on the model's tokenizer.
  const by = useContextWindowSize(({ size }) =>
    size?.countedBy.by === 'tokenizer' ? size.countedBy.name : size?.countedBy.by,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted again by another tokenizer
  useEffect(() => {
    if (measured === key) contextWindowSize.getState().write(text, images)
  }, [contextWindowSize, measured, key, text, images, by])
}
