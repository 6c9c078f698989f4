import type { TitleEnd, TitlePreview } from '../../../src/shared/ipc/conversations/titles'
import { AppError } from '../../../src/shared/model/basics/errors'
import {
  type LibraryKey,
  parseLibraryKey,
} from '../../../src/shared/model/conversation/conversation'
import type { AllHandlers, MemoryApi } from '../../support/memory-api'
import type { MemoryContext } from './memory-home'

/** Titles of a home in memory. */
export interface MemoryTitles {
  readonly handlers: AllHandlers['titles']
  readonly controls: {
    /** What the next question for a title comes to; without it the model gives one. */
    answerWith(end: TitleEnd | 'hang'): void
  }
}

export function createMemoryTitles(deps: {
  readonly contexts: Map<string, MemoryContext>
  readonly tell: () => MemoryApi['tell']
  /** Throws what the next act is refused with. */
  readonly mayRefuse: () => void
}): MemoryTitles {
  const { contexts, tell, mayRefuse } = deps
  let next: TitleEnd | 'hang' | undefined
  let stop = () => {}
  const names = new Map<string, string>()

  function give(key: LibraryKey, title: string | null, by: 'person' | 'model'): void {
    const context = contexts.get(key)
    if (context === undefined) throw new AppError('not-found', `There is no "${key}".`)
    const { titled: _, ...plain } = context.summary
    const name = names.get(key) ?? plain.title
    names.set(key, name)
    const model = by === 'model' ? { model: 'small/one' } : {}
    const summary =
      title === null
        ? { ...plain, title: name }
        : { ...plain, title, titled: { by, ...model, at: 1_780_000_000 } }
    contexts.set(key, { ...context, summary })
    tell().library.changed({ conversations: [summary], gone: [] })
  }

  return {
    controls: {
      answerWith(end) {
        next = end
      },
    },
    handlers: {
      async set({ key, title }) {
        mayRefuse()
        give(key, title, 'person')
      },
      async preview({ key }): Promise<TitlePreview> {
        mayRefuse()
        const isBranch = parseLibraryKey(key).key.endsWith('-2')
        return { model: 'small/one', host: 'models.example', characters: 1234, isBranch }
      },
      async ask({ key }): Promise<TitleEnd> {
        mayRefuse()
        const end = next
        next = undefined
        if (end === 'hang') {
          await new Promise<void>((resolve) => {
            stop = resolve
          })
          return { outcome: 'stopped' }
        }
        if (end !== undefined) return end
        const title = 'Planting tulips'
        give(key, title, 'model')
        return { outcome: 'titled', title }
      },
      cancel: async () => stop(),
    },
  }
}
