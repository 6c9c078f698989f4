import { expect, it } from 'vitest'
import { openedLinks } from '../../../../src/main/app/opened/opened-links'

it('holds the newest link until it is taken, and says that one came', () => {
  let came = 0
  const links = openedLinks()
  links.hear(() => {
    came += 1
  })

  links.receive(['--home', '/somewhere', 'skein://conversation/garden#id-1'])
  links.receive(['skein://conversation/pears'])

  expect(came).toBe(2)
  expect(links.take()).toEqual({ key: 'pears' })
  expect(links.take()).toBeUndefined()
})

it('passes over what is no link to a conversation, and keeps the one that waits', () => {
  let came = 0
  const links = openedLinks()
  // One that comes before anybody hears waits all the same.
  links.receive(['skein://conversation/garden#id-1'])
  links.hear(() => {
    came += 1
  })

  links.receive([])
  links.receive(['skein://settings/x', 'https://example.com/', '--sample'])

  expect(came).toBe(0)
  expect(links.take()).toEqual({ key: 'garden', entry: 'id-1' })
})

it('has the link to the quick entry told, also one that came before, and then leaves the window where it is', () => {
  let asked = 0
  const links = openedLinks()
  expect(links.receive(['skein', 'skein://new'])).toBe(false)
  links.hearQuick(() => {
    asked += 1
  })
  expect(asked).toBe(1)
  expect(links.receive(['SKEIN://NEW/'])).toBe(false)
  expect(asked).toBe(2)
  // It carries no text, and nothing else opens it.
  for (const other of ['skein://new/x', 'skein://new?text=x', 'skein://news', '--new'])
    expect(links.receive([other])).toBe(true)
  expect(asked).toBe(2)
  expect(links.take()).toBeUndefined()
})
