import type { QuickView } from '../../shared/ipc/app/quick'
import { parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { VisibleSettings } from '../../shared/model/settings/settings'
import type { Home } from '../home/home'
import type { Settings } from '../settings/settings'

/** All that the quick entry shows besides its draft. */
export type QuickSurroundings = Omit<QuickView, 'home' | 'id' | 'draft' | 'notice'>

/**
 * Reads what the quick entry shows besides its draft: the model of a new conversation, and the conversation of ours that the app window
 * shows.
 *
 * @param home undefined while none is open
 */
export async function quickView(
  settings: Pick<Settings, 'view'>,
  home: Pick<Home, 'feed' | 'library'> | undefined,
): Promise<QuickSurroundings> {
  const [view, conversation] = await Promise.all([
    settings.view(),
    home === undefined ? undefined : openConversation(settings, home),
  ])
  return {
    begins: answering(view),
    ...(conversation === undefined ? {} : { conversation }),
    theme: view.preferences.theme,
    contrast: view.preferences.contrast,
    textZoom: view.preferences.textZoom,
  }
}

async function openConversation(
  settings: Pick<Settings, 'view'>,
  home: Pick<Home, 'feed' | 'library'>,
): Promise<QuickView['conversation']> {
  const key = home.feed.followed()
  if (key === undefined || parseLibraryKey(key).source !== 'chibi') return undefined
  try {
    const [found, view] = await Promise.all([home.library.find(key), settings.view(key)])
    return found === undefined ? undefined : { key, title: found.title, goesOn: answering(view) }
  } catch {
    // It stays what was chosen: the words must not go into a new one instead.
    const notReady = 'This conversation cannot be read right now.'
    return { key, title: parseLibraryKey(key).key, goesOn: { model: '', notReady } }
  }
}

function answering({ model, notReady }: VisibleSettings): QuickView['begins'] {
  return { model: model.value, ...(notReady === undefined ? {} : { notReady }) }
}
