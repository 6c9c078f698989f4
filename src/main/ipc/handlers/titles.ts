import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { CurrentHome } from '../current/current-home'

/** Serves the titles that are given in Skein. */
export function titlesHandlers(home: CurrentHome<'titles'>): Handlers<Contract['titles']> {
  return {
    set: ({ key, title }) => home().titles.set(key, title),
    preview: ({ key }) => home().titles.preview(key),
    ask: ({ key }) => home().titles.ask(key),
    cancel: async ({ key }) => home().titles.cancel(key),
  }
}
