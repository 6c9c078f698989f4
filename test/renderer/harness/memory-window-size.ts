import { AppError } from '../../../src/shared/model/basics/errors'
import type { WindowSize } from '../../../src/shared/model/run/window-size'
import type { AllHandlers } from '../../support/memory-api'

/** What a test says of the next request; nothing is measured before. */
export interface MemoryWindowSize {
  readonly handlers: AllHandlers['windowSize']
  readonly controls: {
    /** Of every conversation from now on, until something else is said. */
    say(size: Omit<WindowSize, 'key' | 'total'>): void
  }
}

/** A draft counts a token for each word, and a thousand for an image. */
export function createMemoryWindowSize(): MemoryWindowSize {
  let said: Omit<WindowSize, 'key' | 'total'> | undefined
  return {
    controls: {
      say(size) {
        said = size
      },
    },
    handlers: {
      async of({ key }) {
        if (said === undefined) throw new AppError('not-found', 'Nothing was measured.')
        const { system, history, tools, attachments } = said.parts
        return { key, total: system + history + tools + attachments, ...said }
      },
      draft: async ({ text, images }) =>
        text.split(/\s+/).filter((word) => word !== '').length + images * 1000,
    },
  }
}
