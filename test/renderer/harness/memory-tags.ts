import { AppError } from '../../../src/shared/model/basics/errors'
import type { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { withoutTag, withTag } from '../../../src/shared/model/conversation/tag'
import type { AllHandlers, MemoryApi } from '../../support/memory-api'
import type { MemoryContext } from './memory-home'

/** Tags and pins of a home in memory. */
export function createMemoryTags(deps: {
  readonly contexts: Map<string, MemoryContext>
  readonly tell: () => MemoryApi['tell']
  /** Throws what the next act is refused with. */
  readonly mayRefuse: () => void
}): AllHandlers['tags'] {
  function change(
    key: LibraryKey,
    next: (now: readonly string[]) => readonly string[],
  ): readonly string[] {
    deps.mayRefuse()
    const context = deps.contexts.get(key)
    if (context === undefined) throw new AppError('not-found', `There is no "${key}".`)
    const { tags: before = [], ...plain } = context.summary
    const tags = next(before)
    const summary = tags.length === 0 ? plain : { ...plain, tags: [...tags] }
    deps.contexts.set(key, { ...context, summary })
    deps.tell().library.changed({ conversations: [summary], gone: [] })
    return tags
  }
  function show(
    key: LibraryKey,
    next: (now: MemoryContext['summary']) => MemoryContext['summary'],
  ) {
    deps.mayRefuse()
    const context = deps.contexts.get(key)
    if (context === undefined) throw new AppError('not-found', `There is no "${key}".`)
    const summary = next(context.summary)
    deps.contexts.set(key, { ...context, summary })
    deps.tell().library.changed({ conversations: [summary], gone: [] })
  }
  return {
    add: async ({ key, tag, at }) => [...change(key, (now) => withTag(now, tag, at))],
    remove: async ({ key, tag }) => [...change(key, (now) => withoutTag(now, tag))],
    setColor: async ({ key, color }) =>
      show(key, ({ color: _, ...plain }) => (color === null ? plain : { ...plain, color })),
    setHidden: async ({ key, hidden }) =>
      show(key, ({ hidden: _, ...plain }) => (hidden ? { ...plain, hidden: true } : plain)),
    async setPinned({ key, pinned }) {
      deps.mayRefuse()
      const context = deps.contexts.get(key)
      if (context === undefined) throw new AppError('not-found', `There is no "${key}".`)
      const { pinned: _, ...plain } = context.summary
      const summary = pinned ? { ...plain, pinned: true as const } : plain
      deps.contexts.set(key, { ...context, summary })
      deps.tell().library.changed({ conversations: [summary], gone: [] })
    },
  }
}
