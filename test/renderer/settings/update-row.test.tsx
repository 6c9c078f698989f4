import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { UpdateRow } from '../../../src/renderer/settings/UpdateRow'
import { AppWindowProvider } from '../../../src/renderer/state/context'
import type { UpdatePlace } from '../../../src/shared/model/updates'
import { openWindow } from '../state/support/open-window'

/** The words of the row. */
async function row(place: UpdatePlace): Promise<string> {
  const { stores, actions } = await openWindow()
  return renderToStaticMarkup(
    <AppWindowProvider value={{ stores, actions, onCommand: () => () => undefined }}>
      <UpdateRow place={place} />
    </AppWindowProvider>,
  ).replaceAll(/<[^>]*>/g, ' ')
}

it('names whom a question goes to, which is not where the packages are', async () => {
  const page = 'https://skein.example/packages'
  const words = await row({ type: 'named', host: 'feed.example:8443', page })
  expect(words).toContain('Asks feed.example:8443 when you press the button')
  expect(words).not.toContain('skein.example')
  expect(words).toContain('Check for updates')
})

it.each<[UpdatePlace['type'] & ('off' | 'unreadable'), string]>([
  ['off', 'names no place to ask, so nobody is asked.'],
  ['unreadable', 'update-feed.json of this package cannot be read, so nobody is asked.'],
])('has no button where the place is %s, and says why', async (type, reason) => {
  const words = await row({ type })
  expect(words).toContain(reason)
  expect(words).not.toContain('Check for updates')
})
