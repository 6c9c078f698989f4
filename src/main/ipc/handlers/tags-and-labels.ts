import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../current/current-home'

/** Serves the tags and pins of conversations. */
export function tagsHandlers(home: CurrentHome<'titles'>): Handlers<Contract['tags']> {
  return {
    add: async ({ key, tag, at }) => [...(await home().titles.addTag(key, tag, at))],
    remove: async ({ key, tag }) => [...(await home().titles.removeTag(key, tag))],
    setPinned: ({ key, pinned }) => home().titles.setPinned(key, pinned),
    setColor: ({ key, color }) => home().titles.setColor(key, color),
    setHidden: ({ key, hidden }) => home().titles.setHidden(key, hidden),
  }
}

/** Serves the labels of entries. */
export function labelsHandlers(home: CurrentHome<'labels'>): Handlers<Contract['labels']> {
  return {
    list: async () => [...(await home().labels.list())],
    set: async ({ key, at, label }) =>
      (await home().labels.set(key, at, label ?? undefined)) ?? null,
  }
}
